// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

/**
 * What a file is used for. Bytes behind its end are zeros in either case: other writers leave out
 * unwritten bytes.
 */
public enum Access {
  READ,
  WRITE
}
