// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import java.io.IOException;

/** The root's handle of a file that has a temporary name. */
public interface BundleDraft extends BundleFile {
  /**
   * What the other aggregators need in order to write: one number for each of the bundle's
   * variables of planes, such as where it begins in the file.
   */
  long[] places();

  /** Gives the file its final name. All handles are closed before. */
  void commit() throws IOException;

  /** Removes the file. All handles are closed before. */
  void discard() throws IOException;
}
