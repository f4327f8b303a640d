// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import io.forebay.netcdf.bundle.definition.Bundle;
import java.io.IOException;
import java.nio.ByteOrder;

/** Makes the files of one bundle, in one format and on one kind of storage. */
public interface BundleFiles {
  /** The byte order of elements in the file. */
  ByteOrder order();

  /** How many aggregators may write a file at the same time. */
  int writersMax();

  /**
   * Creates the file under a temporary name, with its definitions and coordinates. A file that an
   * earlier program left under that name is replaced.
   *
   * @param name the final name
   */
  BundleDraft create(Bundle bundle, String name) throws IOException;

  /**
   * Opens the file that the root created, for another aggregator.
   *
   * @param name the final name
   * @param places see {@link BundleDraft#places}
   */
  BundleFile open(Bundle bundle, String name, long[] places) throws IOException;
}
