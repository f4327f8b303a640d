// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A backing store with blocking calls. Opening one touches nothing: a defect of the store itself is
 * the answer to the first call, so that a server starts although its store is away. Any thread may
 * call, several at once, unless a method says otherwise.
 *
 * <p>A file is stored by an <em>attempt</em>: {@link #begin}, {@link #write} by each process that
 * has a part of it, {@link #force} by each of them, {@link #commit}. Until the commit nothing is
 * visible under the final name; from then on all of it. After a successful {@link #abort} nothing
 * of the attempt can ever appear there, even if a write or a commit of it arrives late (P22). If a
 * commit was not answered, {@link #look} tells its outcome (P23), and a second commit is harmless.
 *
 * <p>Nothing outside the root is ever touched; symbolic links are not followed. After a failure
 * other than {@link BackingFailure.Unavailable} and {@link BackingFailure.Other} the request has
 * not been carried out.
 */
public interface BackingStore extends AutoCloseable {
  /** For {@link #read} and {@link #delete}: any version is accepted. */
  String ANY_VERSION = "";

  /** The maximum number of leftovers in one answer. */
  int LEFTOVERS_MAX = 1_000;

  /** Its kind and place, for messages. */
  String description();

  Capabilities capabilities();

  /** Checks that the root exists and is usable. */
  void check() throws BackingException;

  /**
   * Begins an attempt; creates the directories above its target. Fails with {@link
   * BackingFailure.Exists} if it has begun before and the store can tell: then abort it and begin
   * one with another id. The caller must record the handle before it writes the first byte (P21).
   */
  Attempt begin(AttemptPlan plan) throws BackingException;

  /**
   * Writes the remaining bytes of the buffers, in order, as the {@link Capabilities} allow. Never
   * creates the file: a write to an aborted attempt fails or has no effect. Repeating a write is
   * harmless. On success the buffers have nothing remaining.
   */
  void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException;

  /**
   * Makes this process's writes to the attempt durable. After a failure no force of it succeeds any
   * more, since bytes may be lost: begin another attempt.
   */
  void force(Attempt attempt) throws BackingException;

  /**
   * Closes what this process has open of an attempt that it is not about to write to. If the
   * attempt is over, that frees its room in the store. Otherwise the writes are forced first, as by
   * {@link #force}, and the next write opens it again. Stores that keep nothing open do nothing.
   */
  default void release(Attempt attempt) throws BackingException {}

  /**
   * Gives the attempt its name, atomically and replacing any previous file, and makes that durable.
   * All writers have forced their writes. Succeeds again for a committed attempt.
   *
   * @return sentences about attributes that could not be kept, such as an owner that this process
   *     may not set
   */
  List<String> commit(Attempt attempt, BackingPath name) throws BackingException;

  /** The state of an attempt that may have been committed under that name. */
  Sighting look(Attempt attempt, BackingPath name) throws BackingException;

  /**
   * Takes the attempt back. When it returns nothing is left that could be written or committed; an
   * attempt that is gone, or never was, is aborted already. One that is committed stays committed.
   */
  void abort(Attempt attempt) throws BackingException;

  /**
   * Leftovers of attempts in that directory, or below it if the store cannot tell these apart; at
   * most {@link #LEFTOVERS_MAX}. Some may belong to attempts in progress.
   */
  List<Leftover> leftovers(BackingPath directory) throws BackingException;

  /** Removes one; one that is gone already is no failure. */
  void remove(Leftover leftover) throws BackingException;

  /** The node of that name. A symbolic link is reported as such. */
  BackingFile stat(BackingPath path) throws BackingException;

  /**
   * Reads into the buffer's remaining bytes until they are filled or the file ends.
   *
   * @param version from {@link #stat}, to fail with {@link BackingFailure.Changed} if the file has
   *     changed, or {@link #ANY_VERSION}
   * @return how many bytes were read; 0 at the end
   */
  int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException;

  /**
   * Reads bytes that were written to an attempt, as {@link #read(BackingPath, String, long,
   * ByteBuffer)} does; before its commit. Unsupported where the store verifies checksums of writes
   * itself, or cannot read files without a name.
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

  /** Creates a directory and its parents. An existing one only gets the attributes. */
  void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException;

  /** Removes an empty directory. */
  void removeDirectory(BackingPath path) throws BackingException;

  /**
   * Removes a file or a symbolic link.
   *
   * @param version from {@link #stat}, to fail with {@link BackingFailure.Changed} if another file
   *     has the name by now, or {@link #ANY_VERSION}. The store checks before it deletes: a change
   *     in between is not noticed.
   */
  void delete(BackingPath path, String version) throws BackingException;

  /** Renames a file, replacing any file of the new name; a directory only if the store can. */
  void rename(BackingPath from, BackingPath to) throws BackingException;

  void makeSymlink(BackingPath path, String target) throws BackingException;

  String readSymlink(BackingPath path) throws BackingException;

  /** Releases all resources. Writes that were not forced may be lost. */
  @Override
  void close();
}
