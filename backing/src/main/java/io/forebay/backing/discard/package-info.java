// SPDX-License-Identifier: Apache-2.0

/**
 * A backing store that keeps nothing, to measure everything in front of it. Any thread. Start
 * reading at {@link io.forebay.backing.discard.NullStore}.
 */
@NullMarked
package io.forebay.backing.discard;

import org.jspecify.annotations.NullMarked;
