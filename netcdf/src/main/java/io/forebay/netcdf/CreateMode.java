// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** What happens to an existing file when one is created. */
public enum CreateMode {
  /** It is an error. */
  NEW,
  /** It is emptied. */
  REPLACE
}
