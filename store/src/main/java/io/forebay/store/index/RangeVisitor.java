// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

/** Gets the content of a range of a file, in the order of offsets, without gap or overlap. */
public interface RangeVisitor {
  /** Nothing was published here: the bytes read as zeros. */
  void hole(long offset, long lengthBytes);

  /**
   * The extent under the cursor, cut to the range. The cursor moves on after the call: copy what is
   * needed, and do not move it.
   */
  void extent(ExtentCursor piece);
}
