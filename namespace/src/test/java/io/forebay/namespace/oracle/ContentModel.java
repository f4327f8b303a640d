// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What files consist of, byte by byte: slow, and too simple to be wrong. */
final class ContentModel {
  static final int FILE_BYTES_MAX = 600;

  /** A record that was published. */
  static final class Content {
    final long session;
    final Names.Piece piece;
    final ModelFile file;
    int liveBytes;

    Content(long session, Names.Piece piece, ModelFile file) {
      this.session = session;
      this.piece = piece;
      this.file = file;
    }
  }

  /** Which byte of which record a byte of a file is. */
  record Owner(Content content, int at) {}

  static final class ModelFile {
    final long number;
    final @Nullable Owner[] bytes = new @Nullable Owner[FILE_BYTES_MAX];
    final Set<GroupId> groups = new TreeSet<>();
    int size;
    int links = 1;

    ModelFile(long number) {
      this.number = number;
    }

    int usedBytes() {
      int used = 0;
      for (Owner owner : bytes) {
        if (owner != null) used++;
      }
      return used;
    }
  }

  static final class ModelSession {
    final long id;
    final Set<Long> published = new TreeSet<>();
    long nextPiece = 1;
    long promisedBytes;
    long doneBelow;

    ModelSession(long id) {
      this.id = id;
    }
  }

  final long capacityBytes;
  final Map<String, ModelFile> files = new TreeMap<>();
  final Map<String, ModelFile> pairs = new TreeMap<>();
  final Map<Long, ModelFile> orphans = new TreeMap<>();
  final Map<Long, ModelSession> sessions = new TreeMap<>();
  final Map<RecordId, Content> contents = new TreeMap<>();

  /** Records that the operation under way took the last byte from. */
  final Set<Content> died = new LinkedHashSet<>();

  /** Files that it gave up as a whole. */
  final Set<ModelFile> gone = new LinkedHashSet<>();

  /** Files that it took the last name from. */
  final List<Long> orphaned = new ArrayList<>();

  ContentModel(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  void begin() {
    died.clear();
    gone.clear();
    orphaned.clear();
  }

  List<ModelFile> all() {
    Set<ModelFile> all = new LinkedHashSet<>(files.values());
    all.addAll(pairs.values());
    all.addAll(orphans.values());
    return new ArrayList<>(all);
  }

  long usedBytes() {
    return all().stream().mapToLong(ModelFile::usedBytes).sum();
  }

  long promisedBytes() {
    return sessions.values().stream().mapToLong(session -> session.promisedBytes).sum();
  }

  long freeBytes() {
    return capacityBytes == 0 ? Integer.MAX_VALUE : capacityBytes - usedBytes() - promisedBytes();
  }

  /** Takes pieces in the order of their sequences; false if there is no room for them. */
  boolean publish(ModelSession session, ModelFile file, long start, List<Names.Piece> pieces) {
    List<Names.Piece> fresh = new ArrayList<>(pieces);
    fresh.removeIf(piece -> session.published.contains(piece.sequence()));
    fresh.sort((a, b) -> Long.compare(a.sequence(), b.sequence()));
    long bytes = fresh.stream().mapToLong(Names.Piece::lengthBytes).sum();
    if (bytes > session.promisedBytes + freeBytes()) return false;
    session.promisedBytes -= Math.min(bytes, session.promisedBytes);
    for (Names.Piece piece : fresh) {
      session.published.add(piece.sequence());
      file.groups.add(piece.group());
      Content content = new Content(session.id, piece, file);
      contents.put(new RecordId(session.id, piece.sequence()), content);
      int from = (int) (start + piece.offset());
      for (int i = 0; i < piece.lengthBytes(); i++) own(file, from + i, new Owner(content, i));
      file.size = Math.max(file.size, from + piece.lengthBytes());
    }
    return true;
  }

  void truncate(ModelFile file, int size) {
    for (int at = size; at < FILE_BYTES_MAX; at++) own(file, at, null);
    file.size = size;
  }

  void punch(ModelFile file, int from, int length) {
    for (int at = from; at < Math.min(file.size, from + length); at++) own(file, at, null);
  }

  private void own(ModelFile file, int at, @Nullable Owner owner) {
    Owner old = file.bytes[at];
    file.bytes[at] = owner;
    if (owner != null) owner.content.liveBytes++;
    if (old != null && --old.content.liveBytes == 0) died.add(old.content);
  }

  void lostName(ModelFile file) {
    if (--file.links > 0) return;
    orphans.put(file.number, file);
    orphaned.add(file.number);
  }

  void giveUp(ModelFile file) {
    orphans.remove(file.number);
    truncate(file, 0);
    died.removeIf(content -> content.file == file);
    if (!file.groups.isEmpty()) gone.add(file);
  }

  /** Whether a record is in a file. */
  boolean lives(long session, long sequence) {
    Content content = contents.get(new RecordId(session, sequence));
    return content != null && content.liveBytes > 0;
  }
}
