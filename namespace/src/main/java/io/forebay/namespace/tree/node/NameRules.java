// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;

/** The rules for names, paths and keys. Lengths are those of their UTF-8 bytes. */
public final class NameRules {
  private NameRules() {}

  public static void checkPath(String path) throws Refused {
    checkLength("path", path, Names.PATH_BYTES_MAX);
    checkText(path, "path");
  }

  public static void checkName(String name) throws Refused {
    checkLength("name", name, Names.NAME_BYTES_MAX);
  }

  /** Whether a name that was found elsewhere can be one here. */
  public static boolean isName(String name) {
    boolean special = name.isEmpty() || name.equals(".") || name.equals("..");
    return !special
        && name.indexOf('/') < 0
        && name.indexOf('\0') < 0
        && utf8Bytes(name) <= Names.NAME_BYTES_MAX;
  }

  public static void checkKey(String key) throws Refused {
    if (key.isEmpty()) throw new Refused(ErrorCode.INVALID, "an empty key");
    checkLength("key", key, Names.KEY_BYTES_MAX);
  }

  private static void checkLength(String what, String text, int bytesMax) throws Refused {
    long bytes = utf8Bytes(text);
    if (bytes <= bytesMax) return;
    throw new Refused(
        ErrorCode.NAME_TOO_LONG, "a %s of %d bytes; at most %d".formatted(what, bytes, bytesMax));
  }

  /** No byte 0, which no program in C could name. */
  public static void checkText(String text, String what) throws Refused {
    if (text.indexOf('\0') >= 0) throw new Refused(ErrorCode.INVALID, "a byte 0 in a " + what);
  }

  /** How many bytes the text takes in UTF-8; it has no lone surrogates. */
  public static int utf8Bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit >= 0x80) bytes++;
      // Each half of a surrogate pair counts for two of the four bytes.
      if (unit >= 0x800 && !Character.isSurrogate(unit)) bytes++;
    }
    return bytes;
  }
}
