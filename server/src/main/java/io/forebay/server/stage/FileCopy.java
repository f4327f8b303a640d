// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.failure.ForebayException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies single files: first under a temporary name, so that a partial file never has the final
 * name. Any thread.
 */
final class FileCopy {
  /** The stage was ended while a file was being copied. */
  static final class Ended extends IOException {
    private static final long serialVersionUID = 1;
  }

  private static final int BUFFER_BYTES = 1 << 20;

  /** How often to retry a file that changes during the copy, or that the ring could not take. */
  private static final int TRIES_MAX = 3;

  private final boolean replace;
  private final StageTally tally;
  private final Supplier<String> draftNames;

  FileCopy(boolean replace, StageTally tally, Supplier<String> draftNames) {
    this.replace = replace;
    this.tally = tally;
    this.draftNames = draftNames;
  }

  /** Copies a file unless it exists already. */
  void run(StageDirectory source, Item found, StageDirectory target, String name)
      throws IOException {
    Item item = found;
    for (int tries = 1; ; tries++) {
      Item there = target.look(name);
      if (there != null && there.isCopyOf(item)) {
        tally.done(true);
        return;
      }
      requireReplaceable(there, target.pathOf(name));
      try {
        if (copied(source, item, target, name)) {
          tally.done(false);
          return;
        }
      } catch (ForebayException e) {
        if (tries == TRIES_MAX || tally.ended()) throw e;
      }
      item = source.look(item.name());
      if (item == null) throw new NoSuchFileException(source.pathOf(found.name()));
      if (tries == TRIES_MAX) {
        throw new StageRefused(
            "it was changed each time it was being copied; stage it when no program writes to it");
      }
    }
  }

  /** An existing, different file must not be lost unless replacement was requested. */
  void requireReplaceable(@Nullable Item there, String path) throws StageRefused {
    if (there == null) return;
    if (there.kind() == Item.Kind.DIRECTORY) {
      throw new StageRefused(
          "'%s' is a directory; choose another destination, or remove it".formatted(path));
    }
    if (replace) return;
    throw new StageRefused(
        "'%s' exists already and is different; stage with --replace, or choose another destination"
            .formatted(path));
  }

  /** Whether the file was copied as found; false if it changed during the copy. */
  private boolean copied(StageDirectory source, Item item, StageDirectory target, String name)
      throws IOException {
    long copiedBytes = 0;
    try (InputStream in = source.read(item.name());
        StageDirectory.Draft draft = target.draft(draftNames.get())) {
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, item.sizeBytes() + 1))];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (tally.ended()) throw new Ended();
        draft.write(buffer, count);
        copiedBytes += count;
        tally.copied(count);
      }
      Item after = source.look(item.name());
      boolean same = after != null && after.unchanged(item) && copiedBytes == item.sizeBytes();
      if (!same) return false;
      draft.finish(
          new Item(
              name, item.kind(), item.sizeBytes(), item.modified(), item.mode(), item.links()));
      return true;
    }
  }
}
