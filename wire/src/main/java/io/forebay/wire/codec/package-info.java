// SPDX-License-Identifier: Apache-2.0

/**
 * Messages as bytes: the number of each type, and how its fields are written.
 *
 * <p>Stateless; any thread. Frames, journals and snapshots may enter. Start reading at {@link
 * io.forebay.wire.codec.MessageCodec}.
 */
@NullMarked
package io.forebay.wire.codec;

import org.jspecify.annotations.NullMarked;
