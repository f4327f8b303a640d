package io.forebay.seat;

import io.forebay.base.FileId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which sessions have which files open, so that a file outlives its name while it is in use. Known
 * to the home only and not journalled: opening is one lookup.
 */
final class OpenFiles {
  private final Map<FileId, Map<Long, Integer>> byFile = new TreeMap<>();
  private final Map<Long, Set<FileId>> bySession = new TreeMap<>();

  void open(FileId file, long session) {
    byFile.computeIfAbsent(file, key -> new TreeMap<>()).merge(session, 1, Integer::sum);
    bySession.computeIfAbsent(session, key -> new TreeSet<>()).add(file);
  }

  boolean isOpen(FileId file) {
    return byFile.containsKey(file);
  }

  /** The session has closed the file once; says whether nobody has it open now. */
  boolean release(FileId file, long session) {
    Map<Long, Integer> sessions = byFile.get(file);
    if (sessions == null) return true;
    Integer count = sessions.get(session);
    if (count == null) return false;
    if (count > 1) {
      sessions.put(session, count - 1);
      return false;
    }
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
    Map<Long, Integer> sessions = byFile.get(file);
    if (sessions == null) return;
    sessions.remove(session);
    if (sessions.isEmpty()) byFile.remove(file);
  }
}
