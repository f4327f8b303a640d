// SPDX-License-Identifier: Apache-2.0

/**
 * Orders in which places take turns. Pure; used by placements only. Start reading at {@link
 * io.forebay.ring.order.Turns}.
 */
@NullMarked
package io.forebay.ring.order;

import org.jspecify.annotations.NullMarked;
