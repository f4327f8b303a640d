// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

/** What an existing file is opened for. */
public enum OpenMode {
  READ,
  WRITE
}
