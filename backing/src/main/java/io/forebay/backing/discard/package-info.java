// SPDX-License-Identifier: Apache-2.0

/**
 * A backing store that keeps nothing, to find out what everything before it can do. Any thread.
 * Start reading at {@link io.forebay.backing.discard.NullStore}.
 */
@NullMarked
package io.forebay.backing.discard;

import org.jspecify.annotations.NullMarked;
