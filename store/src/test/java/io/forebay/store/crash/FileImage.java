// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a file must show, as a plain map of extents: the newest change wins wherever it reaches. */
final class FileImage {
  /** A piece of a record at an offset of the file. */
  record Extent(long offset, int lengthBytes, RecordId record, int recordOffset) {
    private long end() {
      return offset + lengthBytes;
    }

    private Extent between(long from, long to) {
      return new Extent(from, (int) (to - from), record, recordOffset + (int) (from - offset));
    }
  }

  private final TreeMap<Long, Extent> extents = new TreeMap<>();
  private long sizeBytes;

  /** A copy that can be changed on its own. */
  FileImage copy() {
    FileImage copy = new FileImage();
    copy.extents.putAll(extents);
    copy.sizeBytes = sizeBytes;
    return copy;
  }

  static Map<FileId, FileImage> copy(Map<FileId, FileImage> files) {
    Map<FileId, FileImage> copies = new TreeMap<>();
    files.forEach((id, file) -> copies.put(id, file.copy()));
    return copies;
  }

  /** Does to files what an act does; acts that change no file do nothing. */
  static void apply(Act act, Map<FileId, FileImage> files) {
    switch (act) {
      case Act.Publish p ->
          of(p.file(), files).show(new Extent(p.offset(), p.payloadBytes(), p.record(), 0));
      case Act.Truncate t -> of(t.file(), files).resize(t.sizeBytes());
      case Act.Delete d -> files.remove(d.file());
      default -> {}
    }
  }

  private static FileImage of(FileId id, Map<FileId, FileImage> files) {
    return files.computeIfAbsent(id, absent -> new FileImage());
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** In order of their offsets. */
  List<Extent> extents() {
    return List.copyOf(extents.values());
  }

  private void show(Extent shown) {
    cut(shown.offset, shown.end());
    extents.put(shown.offset, shown);
    sizeBytes = Math.max(sizeBytes, shown.end());
  }

  private void resize(long size) {
    cut(size, Long.MAX_VALUE);
    sizeBytes = size;
  }

  private void cut(long from, long to) {
    Map.Entry<Long, Extent> before = extents.lowerEntry(from);
    if (before != null && before.getValue().end() > from) split(before.getValue(), from, to);
    for (Extent extent : List.copyOf(extents.subMap(from, to).values())) split(extent, from, to);
  }

  /** Leaves of an extent what is outside of a range. */
  private void split(Extent extent, long from, long to) {
    extents.remove(extent.offset);
    if (extent.offset < from) extents.put(extent.offset, extent.between(extent.offset, from));
    if (extent.end() > to) extents.put(to, extent.between(to, extent.end()));
  }
}
