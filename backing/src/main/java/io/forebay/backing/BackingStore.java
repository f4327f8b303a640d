// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A backing store as those see it who may block. Opening one touches nothing: what is wrong with
 * the store itself is the answer to the first call, so that a server starts although its store is
 * away. Any thread may call, several at once, unless a method says otherwise.
 *
 * <p>A file is stored by an <em>attempt</em>: {@link #begin}, {@link #write} by whoever has a part
 * of it, {@link #force} by each of them, {@link #commit}. Until the commit nothing is to be seen
 * under the final name; from then on all of it. After an {@link #abort} that succeeded nothing of
 * the attempt can ever appear there, however late a writer or a commit of it arrives (P22). When a
 * commit was not answered, {@link #look} tells what became of it (P23), and to commit again is
 * harmless.
 *
 * <p>Nothing outside the root is ever touched; symbolic links are not followed. After a failure
 * other than {@link BackingFailure.Unavailable} and {@link BackingFailure.Other} what was asked has
 * not been done.
 */
public interface BackingStore extends AutoCloseable {
  /** How {@link #read} and {@link #delete} are told that any version will do. */
  String ANY_VERSION = "";

  /** How many leftovers one call tells of at most. */
  int LEFTOVERS_MAX = 1_000;

  /** What and where it is, in words for people. */
  String description();

  Capabilities capabilities();

  /** Finds out whether the root is there and may be used. */
  void check() throws BackingException;

  /**
   * Begins an attempt; makes the directories above its target. Fails with {@link
   * BackingFailure.Exists} if it has begun before and the store can tell: then abort it and begin
   * one with another id. The answer's handle has to be written down before the first byte is
   * written (P21).
   */
  Attempt begin(AttemptPlan plan) throws BackingException;

  /**
   * Writes the remaining bytes of the buffers, one behind the other, as the {@link Capabilities}
   * allow. Never makes the file: what is written to an attempt that was aborted fails or goes
   * nowhere. To write the same again is harmless. On success the buffers have nothing remaining.
   */
  void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException;

  /**
   * Makes lasting what this process has written to the attempt. After a failure no force of it
   * succeeds any more, since bytes may be lost for good: begin another attempt.
   */
  void force(Attempt attempt) throws BackingException;

  /**
   * Closes what this process has open of an attempt that it is not about to write to. If the
   * attempt is over that is all, so that the store gets its room back; else what was written is
   * forced first, as {@link #force} does, and another write opens it again. Stores that keep
   * nothing open have nothing to do.
   */
  default void release(Attempt attempt) throws BackingException {}

  /**
   * Gives the attempt its name, in one step and replacing what had it, and makes that lasting. All
   * writers have forced what they wrote. Succeeds again for an attempt that is committed.
   *
   * @return what could not be kept, as sentences, such as an owner that this process may not set
   */
  List<String> commit(Attempt attempt, BackingPath name) throws BackingException;

  /** What became of an attempt that may have been committed under that name. */
  Sighting look(Attempt attempt, BackingPath name) throws BackingException;

  /**
   * Takes the attempt back. When it returns nothing is left that could be written or committed; an
   * attempt that is gone, or never was, is aborted already. One that is committed stays committed.
   */
  void abort(Attempt attempt) throws BackingException;

  /**
   * What attempts left in that directory, or below it if the store cannot tell these apart; at most
   * {@link #LEFTOVERS_MAX}. Some may be of attempts under way.
   */
  List<Leftover> leftovers(BackingPath directory) throws BackingException;

  /** Removes one; one that is gone already is no failure. */
  void remove(Leftover leftover) throws BackingException;

  /** What has that name. A symbolic link is told as such. */
  BackingFile stat(BackingPath path) throws BackingException;

  /**
   * Reads into the buffer's remaining bytes until they are filled or the file ends.
   *
   * @param version as {@link #stat} told it, to fail with {@link BackingFailure.Changed} if the
   *     file is another one by now, or {@link #ANY_VERSION}
   * @return how many bytes were read; 0 at the end
   */
  int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException;

  /**
   * Reads what was written to an attempt, as {@link #read(BackingPath, String, long, ByteBuffer)}
   * does; before its commit. Unsupported where the store compares writes with their checksums
   * itself, or shows nothing that has no name.
   */
  default int read(Attempt attempt, long offset, ByteBuffer target) throws BackingException {
    throw new BackingException(
        new BackingFailure.Unsupported(description() + " shows nothing that has no name yet"));
  }

  /** The CRC32C of a range as it is stored, found by reading it, for P23's verification. */
  default int checksum(BackingPath path, String version, long offset, long bytes)
      throws BackingException {
    return checksum(
        path, offset, bytes, (at, target) -> read(path, version, at, target), description());
  }

  /** The same of a range of an attempt, before its commit. */
  default int checksum(Attempt attempt, long offset, long bytes) throws BackingException {
    return checksum(
        attempt.plan().target(),
        offset,
        bytes,
        (at, target) -> read(attempt, at, target),
        description());
  }

  /** Reads from somewhere. */
  interface Reading {
    int read(long offset, ByteBuffer target) throws BackingException;
  }

  private static int checksum(
      BackingPath path, long offset, long bytes, Reading reading, String store)
      throws BackingException {
    ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(bytes, CHECKSUM_CHUNK_BYTES));
    CRC32C crc = new CRC32C();
    long done = 0;
    while (done < bytes) {
      chunk.clear().limit((int) Math.min(chunk.capacity(), bytes - done));
      int read = reading.read(offset + done, chunk);
      if (read == 0) {
        throw new BackingException(
            new BackingFailure.Changed(
                "'%s' in %s ends at %d, where %d bytes were stored"
                    .formatted(path, store, offset + done, offset + bytes)));
      }
      crc.update(chunk.flip());
      done += read;
    }
    return (int) crc.getValue();
  }

  /** In which pieces {@link #checksum} reads. */
  int CHECKSUM_CHUNK_BYTES = 1 << 20;

  /** The names in a directory. The caller closes it. */
  Listing list(BackingPath directory) throws BackingException;

  /** Makes a directory and those above it. One that is there gets the attributes only. */
  void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException;

  /** Removes an empty directory. */
  void removeDirectory(BackingPath path) throws BackingException;

  /**
   * Removes a file or a symbolic link.
   *
   * @param version as {@link #stat} told it, to fail with {@link BackingFailure.Changed} if another
   *     file has the name by now, or {@link #ANY_VERSION}. The store looks before it deletes: who
   *     comes in between is not noticed.
   */
  void delete(BackingPath path, String version) throws BackingException;

  /** Renames a file, replacing what has the new name; a directory only if the store can. */
  void rename(BackingPath from, BackingPath to) throws BackingException;

  void makeSymlink(BackingPath path, String target) throws BackingException;

  String readSymlink(BackingPath path) throws BackingException;

  /** Lets go of what it holds. What was not forced may be lost. */
  @Override
  void close();
}
