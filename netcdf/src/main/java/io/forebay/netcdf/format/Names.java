// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.jspecify.annotations.Nullable;

/** Names as netCDF allows them. */
public final class Names {
  public static final int NAME_BYTES_MAX = 256;

  private Names() {}

  /**
   * The name in the form that files have.
   *
   * @throws NetcdfException if netCDF does not allow it
   */
  public static String checked(String name) throws NetcdfException {
    // ASCII is in its normal form; the tables for everything else take a while to load.
    String normal = isAscii(name) ? name : Normalizer.normalize(name, Normalizer.Form.NFC);
    String problem = problem(normal);
    if (problem != null) {
      throw new NetcdfException(NetcdfError.BAD_NAME, "name '" + name + "' " + problem);
    }
    return normal;
  }

  private static boolean isAscii(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 0x80) return false;
    }
    return true;
  }

  private static @Nullable String problem(String name) {
    if (name.isEmpty()) return "is empty";
    if (name.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES_MAX) {
      return "is longer than " + NAME_BYTES_MAX + " bytes";
    }
    char first = name.charAt(0);
    if (first < 0x80 && !Character.isLetterOrDigit(first) && first != '_') {
      return "does not begin with a letter, a digit or _";
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || c < ' ' || c == 0x7f) return "contains '/' or a control character";
    }
    return name.endsWith(" ") ? "ends with a space" : null;
  }
}
