// SPDX-License-Identifier: Apache-2.0

/**
 * Brings the extents of many requests into the order of the file, each byte from the newest that
 * has it. Columns of primitives, no object per extent: a file may have millions. Nothing here is
 * shared between threads. Start reading at {@link io.forebay.drain.reorder.Reordering}.
 */
@NullMarked
package io.forebay.drain.reorder;

import org.jspecify.annotations.NullMarked;
