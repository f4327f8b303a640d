// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import java.util.List;

/** Requests of a tree's home to the seats that write its files to the backing store. */
public interface Drains {
  /**
   * An attempt to store a file, as the backing store knows it.
   *
   * @param target the name it is to get
   * @param handle what the store calls it
   */
  record AttemptIs(
      String id,
      String target,
      long sizeBytes,
      int mode,
      int user,
      int group,
      long modifyNanos,
      String handle) {}

  /**
   * From the maker of an instance to a seat: can this store be used, with the rights of that user?
   * Answered with {@link BackingIs}.
   */
  record CheckBacking(String address, Identity who) implements ClaimsUser {}

  /** Why a store cannot be used, as a sentence; empty if it can. */
  record BackingIs(String problem) implements Message {}

  /** A run of a chunk's bytes in one record. */
  record Source(
      int chunkOffset, int lengthBytes, GroupId group, RecordId record, int recordOffset) {}

  /** As many as fit into a message: pieces of 85 bytes and more in a write of 8 MiB. */
  int SOURCES_MAX = 96 * 1024;

  /**
   * The store's existing copy of the file, for bytes in no record.
   *
   * @param bytes none beyond; 0 for none at all
   */
  record Backed(String name, String version, long bytes) {}

  /** The maximum number of small files in one pack. */
  int MEMBERS_MAX = 500;

  /** The names of files that are stored together have no more bytes in all. */
  int MEMBER_NAME_BYTES_MAX = 256 * 1024;

  /**
   * A small file that is stored together with others.
   *
   * @param backed what the backing store has of it already
   */
  record Member(
      String path,
      int lengthBytes,
      int mode,
      int user,
      int group,
      long modifyNanos,
      Backed backed) {}

  /**
   * Gather these bytes and write them in one request. Bytes that neither a source nor the backed
   * file has are zeros. Answered with {@link ChunkWritten}.
   *
   * @param offset where in the file the chunk begins
   * @param members the files of a pack, in the order of their bytes; none for a part of a single
   *     file
   */
  record WriteChunk(
      GroupId treeGroup,
      long epoch,
      int instance,
      AttemptIs attempt,
      long offset,
      int lengthBytes,
      Backed backed,
      List<Source> sources,
      List<Member> members)
      implements Message {
    /** A part of a single file. */
    public WriteChunk(
        GroupId treeGroup,
        long epoch,
        int instance,
        AttemptIs attempt,
        long offset,
        int lengthBytes,
        Backed backed,
        List<Source> sources) {
      this(treeGroup, epoch, instance, attempt, offset, lengthBytes, backed, sources, List.of());
    }
  }

  /**
   * The store has taken the chunk.
   *
   * @param checksum the CRC32C of its bytes
   * @param start drawn when the process that wrote it started; only that one can force it
   */
  record ChunkWritten(int checksum, long start) implements Message {}

  /**
   * From a seat whose writers wait to the homes of drained trees: evict this many drained bytes.
   * Answered with Done at once.
   *
   * @param full whether only deleting and draining help, so that files are drained before their
   *     policy says so
   * @param unpromised whether only data of instances without a promise helps: the room of all
   *     others stays promised to them
   */
  record WantRoom(GroupId group, long epoch, long bytes, boolean full, boolean unpromised)
      implements GroupMessage {}

  /**
   * Force the chunks that this seat wrote to the attempt. Answered with Done. A restarted process
   * refuses, since it cannot know what became of the writes.
   *
   * @param start from {@link ChunkWritten}
   */
  record ForceChunks(GroupId treeGroup, long epoch, int instance, AttemptIs attempt, long start)
      implements Message {}

  /**
   * The attempt was abandoned: close its open files, so that the backing store frees their space.
   * Answered with Done at once. Needs no epoch: attempt ids are never reused, and a file that is
   * closed too early is reopened by the next write.
   */
  record AttemptOver(AttemptIs attempt) implements Message {}
}
