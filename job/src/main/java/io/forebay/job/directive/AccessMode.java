// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import java.util.OptionalLong;

/**
 * How nodes reach a buffer, and the limits that the user sets for it.
 *
 * @param fileBytesMax {@code MFS}: the largest file
 * @param filesCreatedMax {@code MFC}: how many files may be created
 */
public record AccessMode(Kind kind, OptionalLong fileBytesMax, OptionalLong filesCreatedMax) {
  /** What a node sees. */
  public enum Kind {
    /** All nodes see the same files. */
    STRIPED,
    /** Each node sees files of its own. */
    PRIVATE,
    /** All nodes read the same files, each from a copy near it. */
    LDBALANCE
  }

  /** Without limits. */
  public static AccessMode of(Kind kind) {
    return new AccessMode(kind, OptionalLong.empty(), OptionalLong.empty());
  }
}
