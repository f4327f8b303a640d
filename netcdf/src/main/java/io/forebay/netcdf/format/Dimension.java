// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

/**
 * A dimension.
 *
 * @param length its length; {@link #UNLIMITED} for the record dimension
 */
public record Dimension(String name, long length) {
  public static final long UNLIMITED = 0;

  public boolean isUnlimited() {
    return length == UNLIMITED;
  }
}
