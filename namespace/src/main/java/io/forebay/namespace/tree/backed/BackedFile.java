// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.base.GroupId;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a file in the backing store. It outlives the file until all changes are done. */
public final class BackedFile {
  /** Records that died while an attempt may still have to read them. */
  public record Held(GroupId group, Data.Dead dead) {}

  public final long file;

  /** Its name in the store; empty if it is not there. */
  public String name = "";

  /** Its name once all pending changes are made. */
  public String nameToBe = "";

  /** The store's tag of its content, to detect changes by other programs. */
  public String contentTag = "";

  /** The publish number that the store has; 0 for none. */
  public long durableVersion;

  public long durableNanos;

  /** A client requested a drain of this publish number, or of a later one; 0 if none did. */
  public long wantedVersion;

  /** Gaps between extents are in the store up to here, and holes after it. */
  public long backedBytes;

  public int attempts;
  public @Nullable DrainAttempt attempt;
  public final List<Held> held = new ArrayList<>();

  public BackedFile(long file) {
    this.file = file;
  }

  /** Whether it can be forgotten once its file is gone. */
  boolean isSettled() {
    return attempt == null && name.isEmpty();
  }
}
