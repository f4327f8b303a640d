// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.discard;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Accepts everything and keeps nothing: every attempt succeeds and nothing can be read again. For
 * measurements only; drained data is lost once the buffer evicts it. Stateless.
 */
public final class NullStore implements BackingStore {
  private static final String HANDLE = "null";
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          true,
          true,
          1,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          true,
          true,
          true,
          true,
          false,
          1 << 20,
          Capabilities.Verification.NONE);

  @Override
  public String description() {
    return "null store (keeps nothing)";
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public void check() {}

  @Override
  public Attempt begin(AttemptPlan plan) {
    return new Attempt(plan, HANDLE);
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) {
    for (ByteBuffer buffer : source) buffer.position(buffer.limit());
  }

  @Override
  public void force(Attempt attempt) {}

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) {
    return List.of();
  }

  /** As if the attempt had been committed, since that is what would be found later. */
  @Override
  public Sighting look(Attempt attempt, BackingPath name) {
    return attempt.isTold() ? Sighting.COMMITTED : Sighting.GONE;
  }

  @Override
  public void abort(Attempt attempt) {}

  @Override
  public List<Leftover> leftovers(BackingPath directory) {
    return List.of();
  }

  @Override
  public void remove(Leftover leftover) {}

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    if (!path.isRoot()) throw nothing(path);
    return new BackingFile(BackingFile.Kind.DIRECTORY, 0, FileAttributes.NONE, 1, HANDLE, HANDLE);
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    throw nothing(path);
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    if (!directory.isRoot()) throw nothing(directory);
    return new Listing() {
      @Override
      public List<Entry> next(int entriesMax) {
        return List.of();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) {}

  @Override
  public void removeDirectory(BackingPath path) throws BackingException {
    throw nothing(path);
  }

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    throw nothing(path);
  }

  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    throw nothing(from);
  }

  @Override
  public void makeSymlink(BackingPath path, String target) {}

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    throw nothing(path);
  }

  @Override
  public void close() {}

  private static BackingException nothing(BackingPath path) {
    return new BackingException(
        new BackingFailure.NotFound(
            "'%s' is not in the null store, which keeps nothing".formatted(path)));
  }
}
