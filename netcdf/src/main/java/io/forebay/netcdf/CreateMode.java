// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** What becomes of a file that is there already when one is created. */
public enum CreateMode {
  /** It is an error. */
  NEW,
  /** It is emptied. */
  REPLACE
}
