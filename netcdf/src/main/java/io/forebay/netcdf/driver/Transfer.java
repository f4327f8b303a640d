package io.forebay.netcdf.driver;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import java.util.List;

/**
 * One request of one rank that was found right: parts of a variable and the memory their elements
 * come from or go to, one part behind the other.
 *
 * @param variable its number
 */
public record Transfer(int variable, List<Subarray> parts, Values values) {
  public Transfer {
    parts = List.copyOf(parts);
  }
}
