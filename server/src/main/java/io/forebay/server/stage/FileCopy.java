// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.failure.ForebayException;
import io.forebay.server.stage.side.Item;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRefused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Copies single files, so that a partial file never has the final name. Any thread. */
final class FileCopy {
  /** The stage was ended while a file was being copied. */
  static final class Ended extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** What copies tell while they go on. Any thread. */
  interface Tally {
    void copied(long bytes);

    /** A file is at its destination; {@code present} if it was there already. */
    void done(long sizeBytes, boolean present);

    /** Whether copies are to stop. */
    boolean ended();
  }

  static final int BUFFER_BYTES = 1 << 20;

  /** Files up to this size are read into memory, and made with all their bytes in one step. */
  static final int WHOLE_BYTES_MAX = 1 << 18;

  /** How often to retry a file that changes during the copy, or that the ring could not take. */
  static final int TRIES_MAX = 3;

  private final boolean replace;
  private final Tally tally;
  private final Supplier<String> draftNames;

  FileCopy(boolean replace, Tally tally, Supplier<String> draftNames) {
    this.replace = replace;
    this.tally = tally;
    this.draftNames = draftNames;
  }

  /**
   * Copies a file unless it exists already.
   *
   * @param isNew whether nothing is expected at the target, so that the first try does not look
   */
  void run(StageDirectory source, Item found, StageDirectory target, String name, boolean isNew)
      throws IOException {
    Item item = found;
    for (int tries = 1; ; tries++) {
      boolean free = isNew && tries == 1 && isSmall(item);
      if (!free) {
        Item there = target.look(name);
        if (there != null && there.isCopyOf(item)) {
          tally.done(item.sizeBytes(), true);
          return;
        }
        requireReplaceable(there, target.pathOf(name));
        free = there == null;
      }
      try {
        Item named = item.withName(name);
        boolean whole = free && isSmall(item);
        boolean same =
            whole ? put(source, item, target, named) : copied(source, item, target, named);
        if (same) {
          tally.done(item.sizeBytes(), false);
          return;
        }
      } catch (FileAlreadyExistsException e) {
        if (tries == TRIES_MAX) throw e;
        // It was not expected, or has just been made: look at it.
        continue;
      } catch (ForebayException e) {
        if (tries == TRIES_MAX || tally.ended()) throw e;
      }
      item = source.look(item.name());
      if (item == null) throw new NoSuchFileException(source.pathOf(found.name()));
      if (tries == TRIES_MAX) throw changing();
    }
  }

  private static boolean isSmall(Item item) {
    return item.sizeBytes() <= WHOLE_BYTES_MAX;
  }

  static StageRefused changing() {
    return new StageRefused(
        "it was changed each time it was being copied; stage it when no program writes to it");
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
  private boolean put(StageDirectory source, Item item, StageDirectory target, Item named)
      throws IOException {
    byte[] bytes = readWhole(source, item);
    if (bytes == null) return false;
    target.put(draftNames.get(), named, bytes, Math.toIntExact(item.sizeBytes()));
    tally.copied(item.sizeBytes());
    return true;
  }

  /**
   * Begins to copy a small file to where nothing is expected; null if it is not small, or has
   * changed. When the future fails, {@link #run} finds out what is there.
   */
  @Nullable CompletableFuture<Void> begin(
      StageDirectory source, Item item, StageDirectory target, String name) throws IOException {
    if (!isSmall(item)) return null;
    byte[] bytes = readWhole(source, item);
    if (bytes == null) return null;
    return target
        .putAsync(draftNames.get(), item.withName(name), bytes, Math.toIntExact(item.sizeBytes()))
        .thenRun(
            () -> {
              tally.copied(item.sizeBytes());
              tally.done(item.sizeBytes(), false);
            });
  }

  /** All bytes of a small file, and room for one more; null if it has changed. */
  private byte @Nullable [] readWhole(StageDirectory source, Item item) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(item.sizeBytes()) + 1];
    int count;
    try (InputStream in = source.read(item.name(), 0)) {
      count = in.readNBytes(bytes, 0, bytes.length);
    }
    if (count != item.sizeBytes() || !isUnchanged(source, item)) return null;
    if (tally.ended()) throw new Ended();
    return bytes;
  }

  /** The same for a file of any size. */
  private boolean copied(StageDirectory source, Item item, StageDirectory target, Item named)
      throws IOException {
    long copiedBytes = 0;
    try (InputStream in = source.read(item.name(), 0);
        StageDirectory.Draft draft = target.draft(draftNames.get())) {
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, item.sizeBytes() + 1))];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (tally.ended()) throw new Ended();
        draft.write(buffer, count);
        copiedBytes += count;
        tally.copied(count);
      }
      if (copiedBytes != item.sizeBytes() || !isUnchanged(source, item)) return false;
      draft.finish(named);
      return true;
    }
  }

  static boolean isUnchanged(StageDirectory source, Item item) throws IOException {
    Item after = source.look(item.name());
    return after != null && after.unchanged(item);
  }
}
