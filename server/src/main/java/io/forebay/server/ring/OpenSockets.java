// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The established TCP connections of processes, as the kernel lists them. Any thread. */
public final class OpenSockets {
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final String ESTABLISHED = "01";
  private static final String PREFIX = "socket:[";

  // The columns of a line.
  private static final int LOCAL_COLUMN = 1;
  private static final int REMOTE_COLUMN = 2;
  private static final int STATE_COLUMN = 3;
  private static final int INODE_COLUMN = 9;

  /** The digits of an address of IPv4, also where it is mapped into IPv6, and of its port. */
  private static final int ADDRESS_CHARS = 8 + 1 + 4;

  /** The two ends of a connection, as one of them sees it. */
  private record Ends(String local, String remote) {
    Ends reversed() {
      return new Ends(remote, local);
    }
  }

  private final long pid;
  private final Set<Ends> connections;

  private OpenSockets(long pid, Set<Ends> connections) {
    this.pid = pid;
    this.connections = connections;
  }

  /** The connections that a process has now with any of the others. */
  static OpenSockets between(long pid, Collection<Long> others) throws IOException {
    Set<Ends> theirs = new HashSet<>();
    for (long other : others) theirs.addAll(of(other));
    Set<Ends> shared = new HashSet<>();
    for (Ends each : of(pid)) {
      if (theirs.contains(each.reversed())) shared.add(each);
    }
    return new OpenSockets(pid, shared);
  }

  /** How many of them are still open. */
  public int stillOpen() throws IOException {
    Set<Ends> left = new HashSet<>(of(pid));
    left.retainAll(connections);
    return left.size();
  }

  private static Set<Ends> of(long pid) throws IOException {
    Set<String> inodes = new HashSet<>();
    Path descriptors = Path.of("/proc", Long.toString(pid), "fd");
    if (!Files.exists(descriptors)) return Set.of();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path each : all) {
        try {
          String target = Files.readSymbolicLink(each).toString();
          if (target.startsWith(PREFIX)) {
            inodes.add(target.substring(PREFIX.length(), target.length() - 1));
          }
        } catch (NoSuchFileException e) {
          // It was closed while they were listed.
        }
      }
    }
    Set<Ends> found = new HashSet<>();
    for (Path table : TABLES) {
      if (!Files.exists(table)) continue;
      for (String line : Files.readAllLines(table)) {
        String[] columns = line.strip().split("\\s+", -1);
        boolean open = columns.length > INODE_COLUMN && columns[STATE_COLUMN].equals(ESTABLISHED);
        if (!open || !inodes.contains(columns[INODE_COLUMN])) continue;
        found.add(new Ends(end(columns[LOCAL_COLUMN]), end(columns[REMOTE_COLUMN])));
      }
    }
    return found;
  }

  private static String end(String column) {
    return column.substring(Math.max(0, column.length() - ADDRESS_CHARS));
  }
}
