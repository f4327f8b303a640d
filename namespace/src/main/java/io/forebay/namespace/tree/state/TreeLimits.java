// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.base.ByteSize;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;

/** What the instance's write protection allows in a tree, and how many files were created in it. */
public final class TreeLimits {
  /** The limit of what is not limited. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * The limits of a tree.
   *
   * @param fileBytesMax the largest size of a file
   * @param filesMax how many files may be created in the instance, deleted ones included
   * @param usedUp whether all trees of the instance together have that many
   */
  public record Limits(long fileBytesMax, long filesMax, boolean usedUp) {
    public static final Limits NONE = new Limits(UNLIMITED, UNLIMITED, false);
  }

  private Limits limits = Limits.NONE;
  private long filesCreated;

  public Limits limits() {
    return limits;
  }

  public void set(Limits others) {
    limits = others;
  }

  /** How many files were created, deleted ones included. */
  public long filesCreated() {
    return filesCreated;
  }

  /** A file is created. */
  public void create() throws Refused {
    if (limits.usedUp() || filesCreated >= limits.filesMax()) {
      throw new Refused(
          ErrorCode.TOO_MANY_FILES,
          "the instance's write protection allows %d files to be created, and as many were, deleted ones included"
              .formatted(limits.filesMax()));
    }
    filesCreated++;
  }

  /** Refuses to make a file longer than allowed; a file that is too long already may shrink. */
  public void requireSize(long sizeBytes, long beforeBytes) throws Refused {
    if (sizeBytes <= limits.fileBytesMax() || sizeBytes <= beforeBytes) return;
    throw new Refused(
        ErrorCode.TOO_LARGE,
        "the file would have %s, and the instance's write protection allows files of %s"
            .formatted(ByteSize.format(sizeBytes), ByteSize.format(limits.fileBytesMax())));
  }

  public void restore(Limits restored, long created) {
    limits = restored;
    filesCreated = created;
  }
}
