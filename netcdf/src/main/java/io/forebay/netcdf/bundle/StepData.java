// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one rank writes in one step: of each variable of each bundle the elements of its block,
 * level behind level and row behind row. Nothing is copied; the memory stays unchanged until the
 * step is written.
 */
public final class StepData {
  private record Place(String bundle, String variable) {}

  private final Map<Place, Values> values = new HashMap<>();

  /** Gives the elements of a variable, in place of earlier ones. */
  public StepData put(String bundle, String variable, Values elements) {
    values.put(new Place(bundle, variable), elements);
    return this;
  }

  @Nullable Values get(String bundle, String variable) {
    return values.get(new Place(bundle, variable));
  }

  /** Throws if there are values of a variable that no bundle has. */
  void requireKnown(List<Bundle> bundles) throws NetcdfException {
    for (Place place : values.keySet()) {
      boolean isKnown = false;
      for (Bundle bundle : bundles) {
        isKnown |= bundle.name().equals(place.bundle) && bundle.variableNamed(place.variable) >= 0;
      }
      if (isKnown) continue;
      throw new NetcdfException(
          NetcdfError.NOT_FOUND,
          "bundle '%s' has no variable '%s' of planes".formatted(place.bundle, place.variable));
    }
  }
}
