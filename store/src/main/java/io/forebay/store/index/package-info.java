// SPDX-License-Identifier: Apache-2.0

/**
 * The indexes of a seat's contents: records by id, and files by offset. Everything here is in
 * memory, rebuilt from log and journal, and belongs to one seat's loop: no class of this package
 * may be called from two threads. Start reading at {@link io.forebay.store.index.ExtentDirectory}.
 */
@NullMarked
package io.forebay.store.index;

import org.jspecify.annotations.NullMarked;
