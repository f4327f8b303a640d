// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.Locale;

/** What a program asks of its files, by the names of the system calls. */
public enum Call {
  READ(Kind.READ),
  WRITE(Kind.WRITE),
  SYNC(Kind.SYNC),
  OPEN(Kind.METADATA),
  CREATE(Kind.METADATA),
  CLOSE(Kind.METADATA),
  LOOKUP(Kind.METADATA),
  STAT(Kind.METADATA),
  ACCESS(Kind.METADATA),
  SET_ATTRIBUTES(Kind.METADATA),
  UNLINK(Kind.METADATA),
  RENAME(Kind.METADATA),
  LINK(Kind.METADATA),
  DIRECTORY(Kind.METADATA),
  LOCK(Kind.METADATA),
  ALLOCATE(Kind.METADATA),
  OTHER(Kind.METADATA);

  /** Calls whose times are added up. */
  public enum Kind {
    READ,
    WRITE,
    SYNC,
    METADATA;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;

  Call(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /** Its place in lists of counts, which is part of the format of profiles. */
  @SuppressWarnings("EnumOrdinal") // A new one comes last, and with a new version of the format.
  public int place() {
    return ordinal();
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
