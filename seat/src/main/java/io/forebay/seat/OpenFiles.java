package io.forebay.seat;

import io.forebay.base.FileId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which sessions have which files open, so that a file outlives its name while it is in use. Known
 * to the home only and not journalled: opening is one lookup. Not counted, since a request may come
 * twice: the client counts its handles, and says when the last one is closed. A client numbers what
 * it asks, so that a late copy of a release does not undo an open that came after it.
 */
final class OpenFiles {
  /** Of each file the sessions that have it open, with the number of the request that opened it. */
  private final Map<FileId, Map<Long, Long>> byFile = new TreeMap<>();

  private final Map<Long, Set<FileId>> bySession = new TreeMap<>();

  void open(FileId file, long session, long op) {
    byFile.computeIfAbsent(file, key -> new TreeMap<>()).merge(session, op, Math::max);
    bySession.computeIfAbsent(session, key -> new TreeSet<>()).add(file);
  }

  boolean isOpen(FileId file) {
    return byFile.containsKey(file);
  }

  /** The session has the file open no longer; says whether nobody has. */
  boolean release(FileId file, long session, long op) {
    Map<Long, Long> sessions = byFile.get(file);
    Long opened = sessions == null ? null : sessions.get(session);
    if (opened != null && op < opened) return false;
    drop(file, session);
    Set<FileId> files = bySession.get(session);
    if (files != null) {
      files.remove(file);
      if (files.isEmpty()) bySession.remove(session);
    }
    return !byFile.containsKey(file);
  }

  /** The session is over; gives the files that nobody has open any more. */
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

  /** Sessions that have ended while nobody listened have nothing open any more. */
  void endAllBut(Set<Long> living) {
    for (long session : Set.copyOf(bySession.keySet())) {
      if (!living.contains(session)) end(session);
    }
  }

  private void drop(FileId file, long session) {
    Map<Long, Long> sessions = byFile.get(file);
    if (sessions == null) return;
    sessions.remove(session);
    if (sessions.isEmpty()) byFile.remove(file);
  }
}
