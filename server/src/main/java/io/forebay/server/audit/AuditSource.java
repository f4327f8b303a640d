// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of one audit log, oldest first: those of the files that were moved aside, then
 * those of the newest file, and later what was appended meanwhile. Text that is no line of an audit
 * log is counted and left out. One thread.
 */
public final class AuditSource implements Closeable {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** Longer than any line that is written: texts from requests are cut. */
  private static final int LINE_BYTES_MAX = 64 * 1024;

  /** A file that is open; it may be moved meanwhile, so it is known by its key. */
  private record Opened(FileChannel channel, @Nullable Object key, String name) {}

  private final Path newest;
  private final Deque<Opened> files = new ArrayDeque<>();
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).flip();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long lineNumber;
  private boolean tooLong;
  private int garbage;
  private @Nullable String firstGarbage;

  private AuditSource(Path newest) {
    this.newest = newest;
  }

  /**
   * The newest files of all audit logs that a path means: a file itself, that of the directory of a
   * server or manager, or those of all such directories in it. Empty if there are none.
   */
  public static List<Path> find(Path given) throws IOException {
    if (!Files.isDirectory(given)) return Files.exists(given) ? List.of(given) : List.of();
    Path own = AuditFiles.in(given).file();
    if (Files.exists(own)) return List.of(own);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(given, Files::isDirectory)) {
      for (Path each : all) {
        Path file = AuditFiles.in(each).file();
        if (Files.exists(file)) found.add(file);
      }
    }
    return List.copyOf(new TreeSet<>(found));
  }

  /** Opens all files of a log; the newest one must exist. */
  public static AuditSource open(Path newest) throws IOException {
    AuditSource source = new AuditSource(newest);
    try {
      source.openNewer(null);
    } catch (IOException e) {
      source.close();
      throw e;
    }
    if (source.files.isEmpty()) throw new NoSuchFileException(newest.toString());
    return source;
  }

  /**
   * Opens the files that are newer than a known one, all if that is null. Files only move to higher
   * numbers, so going up from the newest misses none; one that moved meanwhile is met twice.
   */
  private void openNewer(@Nullable Object known) throws IOException {
    Deque<Opened> newer = new ArrayDeque<>();
    for (int number = 0; number < RotatedFile.FILES_MAX; number++) {
      Opened opened = openFile(RotatedFile.numbered(newest, number));
      if (opened == null) continue;
      boolean met = newer.stream().anyMatch(each -> Objects.equals(each.key, opened.key));
      boolean old = known != null && known.equals(opened.key);
      if (met || old) opened.channel.close();
      else newer.addFirst(opened);
      if (old) break;
    }
    files.addAll(newer);
  }

  private static @Nullable Opened openFile(Path file) throws IOException {
    while (true) {
      try {
        Object before = keyOf(file);
        FileChannel channel = FileChannel.open(file);
        if (Objects.equals(before, keyOf(file))) {
          return new Opened(channel, before, file.toString());
        }
        channel.close();
      } catch (NoSuchFileException e) {
        return null;
      }
    }
  }

  private static @Nullable Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** The next line, or null if there is none at present. */
  public @Nullable AuditLine next() throws IOException {
    while (true) {
      if (!chunk.hasRemaining() && !fill()) return null;
      byte each = chunk.get();
      if (each != '\n') {
        if (line.size() < LINE_BYTES_MAX) line.write(each);
        else tooLong = true;
        continue;
      }
      AuditLine whole = endLine();
      if (whole != null) return whole;
    }
  }

  /** Reads on; a file that ends is left only if there is a newer one. */
  private boolean fill() throws IOException {
    while (true) {
      Opened current = files.getFirst();
      chunk.clear();
      int count = current.channel.read(chunk);
      chunk.flip();
      if (count > 0) return true;
      chunk.limit(0);
      if (files.size() == 1) openNewer(current.key);
      if (files.size() == 1) return false;
      // It may have grown before it was moved aside.
      if (current.channel.position() < current.channel.size()) continue;
      if (line.size() > 0) endLine();
      files.removeFirst().channel.close();
      lineNumber = 0;
    }
  }

  private @Nullable AuditLine endLine() {
    lineNumber++;
    AuditLine parsed = tooLong ? null : AuditLine.parse(line.toString(StandardCharsets.UTF_8));
    boolean blank = line.size() == 0;
    line.reset();
    tooLong = false;
    if (parsed != null || blank) return parsed;
    garbage++;
    if (firstGarbage == null) {
      firstGarbage = "line " + lineNumber + " of '" + files.getFirst().name + "'";
    }
    return null;
  }

  /** Takes the last line for whole although its end is missing; null if there is none. */
  public @Nullable AuditLine rest() {
    return line.size() == 0 ? null : endLine();
  }

  /** A sentence about text that was left out, or null. */
  public @Nullable String complaint() {
    if (garbage == 0) return null;
    return garbage == 1
        ? firstGarbage + " is no line of an audit log, and is left out"
        : "%d lines are no lines of an audit log, and are left out; the first is %s"
            .formatted(garbage, firstGarbage);
  }

  @Override
  public void close() throws IOException {
    for (Opened each : files) each.channel.close();
    files.clear();
  }
}
