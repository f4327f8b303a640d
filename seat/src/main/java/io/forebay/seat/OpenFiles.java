package io.forebay.seat;

import io.forebay.base.FileId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which sessions have which files open, so that a file outlives its name while it is in use. Known
 * to the home only and not journalled: opening is one lookup. Not counted, since a request may come
 * twice: the client counts its handles, and says when the last one is closed.
 */
final class OpenFiles {
  private final Map<FileId, Set<Long>> byFile = new TreeMap<>();
  private final Map<Long, Set<FileId>> bySession = new TreeMap<>();

  void open(FileId file, long session) {
    byFile.computeIfAbsent(file, key -> new TreeSet<>()).add(session);
    bySession.computeIfAbsent(session, key -> new TreeSet<>()).add(file);
  }

  boolean isOpen(FileId file) {
    return byFile.containsKey(file);
  }

  /** The session has the file open no longer; says whether nobody has. */
  boolean release(FileId file, long session) {
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

  private void drop(FileId file, long session) {
    Set<Long> sessions = byFile.get(file);
    if (sessions == null) return;
    sessions.remove(session);
    if (sessions.isEmpty()) byFile.remove(file);
  }
}
