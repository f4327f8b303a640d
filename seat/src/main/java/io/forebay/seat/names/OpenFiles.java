// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import io.forebay.base.FileId;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The open files of sessions, so that a file outlives its name while it is in use. Known to the
 * home only and not journalled: opening is one lookup. Opens are not counted, since a request may
 * come twice: the client counts its handles, and says when the last one is closed. A client numbers
 * its requests, and a release names the last open that it closes, so that it does not undo an open
 * whose answer the client did not have yet. A session's rights to a file are the union of its
 * opens' rights (P28).
 */
final class OpenFiles {
  /**
   * An open file of a session.
   *
   * @param op the number of the last request that opened it
   * @param rights of {@link Names#MAY_READ} and {@link Names#MAY_WRITE}
   */
  private record Opened(long op, int rights) {
    Opened and(Opened other) {
      return new Opened(Math.max(op, other.op), rights | other.rights);
    }
  }

  /** The sessions that have each file open. */
  private final Map<FileId, Map<Long, Opened>> byFile = new TreeMap<>();

  private final Map<Long, Set<FileId>> bySession = new TreeMap<>();

  private final int sessionFilesMax;

  /** Of sessions that may each have so many. */
  OpenFiles(int sessionFilesMax) {
    this.sessionFilesMax = sessionFilesMax;
  }

  void open(FileId file, long session, long op, int rights) {
    byFile
        .computeIfAbsent(file, key -> new TreeMap<>())
        .merge(session, new Opened(op, rights), Opened::and);
    bySession.computeIfAbsent(session, key -> new TreeSet<>()).add(file);
  }

  /** Why a session may open no more files, or null. */
  Replies.@Nullable Failed objection(Names.Request message, LimitCounts counts) {
    if (!(message.what() instanceof Names.Open)) return null;
    Set<FileId> files = bySession.get(message.session());
    if (files == null || files.size() < sessionFilesMax) return null;
    counts.reached(Limit.OPEN_FILES);
    return new Replies.Failed(
        ErrorCode.NO_SPACE, "the session has " + files.size() + " open files, its limit");
  }

  /** Whether the session has the file open with all of these rights. */
  boolean allows(FileId file, long session, int rights) {
    Map<Long, Opened> sessions = byFile.get(file);
    Opened opened = sessions == null ? null : sessions.get(session);
    return opened != null && (opened.rights & rights) == rights;
  }

  boolean isOpenBy(FileId file, long session) {
    return allows(file, session, 0);
  }

  boolean isOpen(FileId file) {
    return byFile.containsKey(file);
  }

  /** The session has closed its opens up to that number; says whether no session has it open. */
  boolean release(FileId file, long session, long opensUpTo) {
    Map<Long, Opened> sessions = byFile.get(file);
    Opened opened = sessions == null ? null : sessions.get(session);
    if (opened != null && opened.op > opensUpTo) return false;
    drop(file, session);
    Set<FileId> files = bySession.get(session);
    if (files != null) {
      files.remove(file);
      if (files.isEmpty()) bySession.remove(session);
    }
    return !byFile.containsKey(file);
  }

  /** The session is over; returns the files that no session has open any more. */
  Set<FileId> end(long session) {
    Set<FileId> closed = new TreeSet<>();
    Set<FileId> files = bySession.remove(session);
    if (files == null) return closed;
    for (FileId file : files) {
      drop(file, session);
      if (!byFile.containsKey(file)) closed.add(file);
    }
    return closed;
  }

  /** Sessions that ended while this home did not serve have no open files any more. */
  void endAllBut(Set<Long> living) {
    for (long session : Set.copyOf(bySession.keySet())) {
      if (!living.contains(session)) end(session);
    }
  }

  private void drop(FileId file, long session) {
    Map<Long, Opened> sessions = byFile.get(file);
    if (sessions == null) return;
    sessions.remove(session);
    if (sessions.isEmpty()) byFile.remove(file);
  }
}
