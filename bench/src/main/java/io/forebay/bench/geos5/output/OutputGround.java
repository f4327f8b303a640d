// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.bench.netcdf.pattern.Elements;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.data.Values;
import io.forebay.parallel.Group;

/**
 * What a way of output gets.
 *
 * @param elements those of this rank
 * @param files creates files
 * @param place what stands in front of files' names: a directory or an instance, with a slash
 */
public record OutputGround(
    Group group, BundlePattern pattern, Elements elements, NetcdfFiles files, String place) {
  /** This rank's elements of a variable in a step: those of one plane behind those of another. */
  Values values(int step, int bundle, int variable, long count) {
    Bundle of = pattern.bundles().get(bundle);
    PlaneVariable each = of.variables().get(variable);
    return elements.of(each.type(), pattern.putNumber(step, bundle, variable), count);
  }
}
