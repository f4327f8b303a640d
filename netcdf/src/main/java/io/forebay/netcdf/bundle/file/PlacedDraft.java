// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.store.SharedFile;
import java.io.IOException;
import java.util.List;

/** The root's handle of a file whose variables begin at known places. */
public final class PlacedDraft extends PlacedFile implements BundleDraft {
  private final long[] places;
  private final TemporaryName names;

  /**
   * For a file that was just created.
   *
   * @param places where each variable begins
   */
  public PlacedDraft(
      SharedFile file, List<PlaneVariable> variables, long[] places, TemporaryName names) {
    super(file, variables, places);
    this.places = places.clone();
    this.names = names;
  }

  @Override
  public long[] places() {
    return places.clone();
  }

  @Override
  public void commit() throws IOException {
    names.commit();
  }

  @Override
  public void discard() throws IOException {
    names.discard();
  }
}
