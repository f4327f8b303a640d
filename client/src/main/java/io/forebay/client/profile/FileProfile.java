// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.List;

/**
 * What a program did with a file since it was among those with the most bytes.
 *
 * @param number the file's number in its instance
 * @param path its path when it was opened, or a text that says that it is unknown
 * @param missedBytes how many bytes there may have been before at most
 * @param readers the processes that read it, up to a bound
 * @param writers those that wrote it
 */
public record FileProfile(
    long number,
    String path,
    long missedBytes,
    AccessCounts reads,
    AccessCounts writes,
    CallCounts calls,
    List<Integer> readers,
    List<Integer> writers) {
  public FileProfile {
    readers = List.copyOf(readers);
    writers = List.copyOf(writers);
  }

  public long bytes() {
    return reads.bytes() + writes.bytes();
  }

  public boolean isShared() {
    return readers.size() > 1 || writers.size() > 1;
  }

  /** Together with the same file of another mount, or another file of that name. */
  public FileProfile plus(FileProfile other) {
    return new FileProfile(
        number,
        path,
        missedBytes + other.missedBytes,
        reads.plus(other.reads),
        writes.plus(other.writes),
        calls.plus(other.calls),
        ProgramProfile.union(readers, other.readers),
        ProgramProfile.union(writers, other.writers));
  }
}
