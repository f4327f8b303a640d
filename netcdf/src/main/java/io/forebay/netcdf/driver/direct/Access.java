// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

/**
 * What a file is used for. What lies behind its end is zeros in either case: other writers leave
 * out what nobody wrote.
 */
public enum Access {
  READ,
  WRITE
}
