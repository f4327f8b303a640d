// SPDX-License-Identifier: Apache-2.0

/**
 * Which message needs which proof or right: one table for all of them.
 *
 * <p>Values, which any thread may use. Doors may enter. Start reading at {@link
 * io.forebay.wire.right.MessageNeeds}.
 */
@NullMarked
package io.forebay.wire.right;

import org.jspecify.annotations.NullMarked;
