// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of files to stage: each line has a source and a destination, separated by a tab, or by
 * spaces if neither contains any. Empty lines and lines that begin with {@code #} are ignored.
 */
public final class StageList {
  /** One line. */
  public record Entry(String source, String destination) {}

  /** Longer lines are no lines of a list. */
  private static final int LINE_CHARS_MAX = 16 * 1024;

  private final BufferedReader lines;
  private int number;

  public StageList(BufferedReader lines) {
    this.lines = lines;
  }

  /**
   * The next entry, or null at the end.
   *
   * @throws IllegalArgumentException for a line that is none; the message says which and why
   */
  public @Nullable Entry next() throws IOException {
    while (true) {
      String line = lines.readLine();
      if (line == null) return null;
      number++;
      if (line.isBlank() || line.startsWith("#")) continue;
      return entry(line);
    }
  }

  /**
   * The line of an entry.
   *
   * @throws IllegalArgumentException if it cannot be written as a line
   */
  public static String line(Entry entry) {
    for (String path : List.of(entry.source, entry.destination)) {
      boolean broken = path.chars().anyMatch(c -> c == '\t' || c == '\n' || c == '\r');
      if (broken || !path.startsWith("/")) {
        throw new IllegalArgumentException(
            "'" + path + "' cannot be in a list; stage it as a single file");
      }
    }
    String line = entry.source + '\t' + entry.destination;
    if (line.length() > LINE_CHARS_MAX) {
      throw new IllegalArgumentException("a path of " + line.length() + " characters");
    }
    return line;
  }

  private Entry entry(String line) {
    if (line.length() > LINE_CHARS_MAX) throw wrong("is too long");
    String[] parts = line.indexOf('\t') >= 0 ? line.split("\t+", -1) : line.strip().split(" +", -1);
    if (parts.length != 2) throw wrong("has no source and destination with a tab between them");
    for (String part : parts) {
      if (!part.startsWith("/")) throw wrong("has '" + part + "', which is no whole path");
    }
    return new Entry(parts[0], parts[1]);
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("line " + number + " of the list " + what);
  }
}
