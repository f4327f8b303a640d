// SPDX-License-Identifier: Apache-2.0

/**
 * Buffers that connections borrow while bytes pass through them. Called by the thread of the loop
 * that owns the pool. Start reading at {@link io.forebay.wire.buffer.BufferPool}.
 */
@NullMarked
package io.forebay.wire.buffer;

import org.jspecify.annotations.NullMarked;
