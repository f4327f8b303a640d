// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.Locale;

/** How the place of an access follows from the accesses of the same process before. */
public enum Order {
  /** There was none before. */
  FIRST,
  /** It begins where the last one ended. */
  CONSECUTIVE,
  /** Further on by a distance that occurred a moment ago. */
  STRIDED,
  /** Further on by another distance, as part of a movement forward. */
  SEQUENTIAL,
  /** Backwards, on the same place, or soon after such a step. */
  RANDOM;

  /** Its place in lists of counts, which is part of the format of profiles. */
  @SuppressWarnings("EnumOrdinal") // A new one comes last, and with a new version of the format.
  public int place() {
    return ordinal();
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
