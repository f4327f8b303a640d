// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.Arrays;

/** The block checksums of one payload as a value; see {@link BlockChecksums}. */
public final class Checksums {
  public static final Checksums NONE = new Checksums(new int[0]);

  private final int[] values;

  private Checksums(int[] values) {
    this.values = values;
  }

  /** Takes the array as it is: the caller gives it away. */
  public static Checksums of(int[] values) {
    return values.length == 0 ? NONE : new Checksums(values);
  }

  public int count() {
    return values.length;
  }

  public int at(int block) {
    return values[block];
  }

  public int[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Checksums checksums && Arrays.equals(values, checksums.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return values.length + " checksums";
  }
}
