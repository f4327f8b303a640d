// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.netcdf.data.Mapping;
import io.forebay.netcdf.data.Subarray;
import java.util.List;

/** The selected elements of a variable, and their order in memory. */
public sealed interface Selection {
  /**
   * All elements. A write takes as many records as the memory has, from the first on; a read takes
   * the existing ones.
   */
  record All() implements Selection {}

  /** Rectangular parts, with the elements of one after those of the other. */
  record Parts(List<Subarray> parts) implements Selection {
    public Parts {
      parts = List.copyOf(parts);
    }
  }

  /** A rectangular part whose elements are in another order in memory. */
  record Mapped(Subarray part, Mapping mapping) implements Selection {}

  static Selection all() {
    return new All();
  }

  /** One element. */
  static Selection at(long... index) {
    return new Parts(List.of(Subarray.at(index)));
  }

  static Selection of(long[] start, long[] count) {
    return new Parts(List.of(Subarray.of(start, count)));
  }

  static Selection strided(long[] start, long[] count, long[] stride) {
    return new Parts(List.of(Subarray.strided(start, count, stride)));
  }

  /** Several parts. */
  static Selection list(List<Subarray> parts) {
    return new Parts(parts);
  }

  static Selection mapped(Subarray part, Mapping mapping) {
    return new Mapped(part, mapping);
  }

  /** Nothing: for a rank that takes part in a collective call without data. */
  static Selection none() {
    return new Parts(List.of());
  }
}
