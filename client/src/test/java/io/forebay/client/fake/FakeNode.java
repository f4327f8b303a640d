// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.base.Bytes;
import io.forebay.base.RecordId;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A file, directory or link of a {@link FakeTree}. */
final class FakeNode {
  final long number;
  final Names.Kind kind;
  final TreeMap<String, FakeNode> children = new TreeMap<>();
  final TreeMap<Long, Names.Run> runs = new TreeMap<>();
  final TreeMap<String, Bytes> extras = new TreeMap<>();
  String target = "";
  int mode;
  int user;
  int group;
  int links = 1;
  long sizeBytes;
  long accessNanos;
  long modifyNanos;
  long version;
  long device;

  /** What no run tells of is in the backing store up to here. */
  long backedBytes;

  FakeNode(long number, Names.Kind kind, int mode) {
    this.number = number;
    this.kind = kind;
    this.mode = mode;
  }

  Names.Attributes attributes() {
    long size = kind == Names.Kind.SYMLINK ? target.length() : sizeBytes;
    return new Names.Attributes(
        number,
        kind,
        mode,
        user,
        group,
        links,
        size,
        size,
        accessNanos,
        modifyNanos,
        modifyNanos,
        version,
        0,
        device);
  }

  void put(long session, Names.Piece piece, long offset) {
    long end = offset + piece.lengthBytes();
    clear(offset, end);
    RecordId record = new RecordId(session, piece.sequence());
    runs.put(offset, new Names.Run(offset, piece.lengthBytes(), piece.group(), record, 0));
    sizeBytes = Math.max(sizeBytes, end);
  }

  void truncate(long size) {
    if (size < sizeBytes) clear(size, Long.MAX_VALUE);
    backedBytes = Math.min(backedBytes, size);
    sizeBytes = size;
  }

  /** Makes a hole, but not of what the backing store has. */
  void punch(long from, long length) {
    long end = Math.min(sizeBytes, length > Long.MAX_VALUE - from ? sizeBytes : from + length);
    if (Math.max(from, backedBytes) < end) clear(Math.max(from, backedBytes), end);
  }

  private void clear(long from, long to) {
    Long first = runs.floorKey(from);
    for (Names.Run run : List.copyOf(runs.subMap(first == null ? from : first, to).values())) {
      long end = run.offset() + run.lengthBytes();
      if (end <= from) continue;
      runs.remove(run.offset());
      if (run.offset() < from) keep(run, run.offset(), from);
      if (end > to) keep(run, to, end);
    }
  }

  private void keep(Names.Run run, long from, long to) {
    int skipped = (int) (from - run.offset());
    runs.put(
        from,
        new Names.Run(
            from, (int) (to - from), run.group(), run.record(), run.recordOffset() + skipped));
  }

  Names.RunsAre find(long offset, long length, int max) {
    List<Names.Run> found = new ArrayList<>();
    long through = Math.min(sizeBytes, offset + length);
    Long first = runs.floorKey(offset);
    for (Names.Run run : runs.tailMap(first == null ? offset : first).values()) {
      if (run.offset() >= offset + length) break;
      if (run.offset() + run.lengthBytes() <= offset) continue;
      if (found.size() == max) {
        through = run.offset();
        break;
      }
      found.add(run);
    }
    return new Names.RunsAre(sizeBytes, version, through, backedBytes, found);
  }
}
