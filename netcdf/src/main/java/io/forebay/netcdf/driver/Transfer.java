// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import java.util.List;

/**
 * One valid request of one rank: parts of a variable and the memory of their elements, one part
 * after the other.
 *
 * @param variable its number
 * @param age the time of a write: higher ages win over lower ones, also between ranks; all writes
 *     of one collective call have the same
 */
public record Transfer(int variable, List<Subarray> parts, Values values, int age) {
  public Transfer {
    parts = List.copyOf(parts);
  }

  /** A request that is carried out as it is made. */
  public static Transfer now(int variable, List<Subarray> parts, Values values) {
    return new Transfer(variable, parts, values, 0);
  }
}
