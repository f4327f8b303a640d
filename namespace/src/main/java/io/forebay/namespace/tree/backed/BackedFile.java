// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.base.GroupId;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a file in the backing store. Lives on without its file until all is done. */
public final class BackedFile {
  /** Records that died while an attempt may still have to read them. */
  public record Held(GroupId group, Data.Dead dead) {}

  public final long file;

  /** What it is called in the store; empty if it is not there. */
  public String name = "";

  /** The same once all changes under way are made. */
  public String nameToBe = "";

  /** What the store calls its content, so that it is noticed if somebody else changes it. */
  public String contentTag = "";

  /** The publish number that the store has; 0 for none. */
  public long durableVersion;

  public long durableNanos;

  /** Somebody asked for this publish number, or for what comes after it; 0 for nobody. */
  public long wantedVersion;

  /** What no extent tells of is in the store up to here, and a hole behind. */
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
