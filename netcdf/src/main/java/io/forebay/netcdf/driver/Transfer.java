// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import java.util.List;

/**
 * One request of one rank that was found right: parts of a variable and the memory their elements
 * come from or go to, one part behind the other.
 *
 * @param variable its number
 * @param age when a write was made: a higher one counts over lower ones, of other ranks too; all of
 *     one collective call have the same
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
