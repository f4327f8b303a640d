// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import org.jspecify.annotations.Nullable;

/**
 * One setting: a line {@code name = value} in a file, or an option {@code --name value}.
 *
 * @param standard the default value as text; null if there is none
 * @param otherwise the description of the default if it is not a fixed value
 * @param meaning a sentence for users
 */
public record Key<T>(
    String name, Kind<T> kind, @Nullable String standard, String otherwise, String meaning) {
  /** A key with a standard value. */
  static <T> Key<T> of(String name, Kind<T> kind, String standard, String meaning) {
    return new Key<>(name, kind, standard, standard, meaning);
  }

  /** A key that must be given. */
  static <T> Key<T> required(String name, Kind<T> kind, String meaning) {
    return new Key<>(name, kind, null, "required", meaning);
  }

  /** An optional key without a default. */
  static <T> Key<T> optional(String name, Kind<T> kind, String otherwise, String meaning) {
    return new Key<>(name, kind, null, otherwise, meaning);
  }

  /** Whether it is on or off: an option of the command line then needs no value. */
  public boolean isFlag() {
    return standard != null && (standard.equals("true") || standard.equals("false"));
  }
}
