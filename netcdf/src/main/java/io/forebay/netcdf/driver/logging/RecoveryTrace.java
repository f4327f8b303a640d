// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.store.FileStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The trace that the recovery of some ranks' logs leaves beside the file for the recovery of
 * others, which may be on other nodes: that it changed the file, and the state of the file
 * afterwards. The recovery of the last ranks removes it. A small file of text: numbers with blanks
 * between them.
 *
 * @param run the run of the program that left the logs
 * @param recovered the ranks whose logs are in the file
 */
record RecoveryTrace(long run, FileStamp stamp, Set<Integer> recovered) {
  private static final String SUFFIX = "recovery";
  private static final int FIELDS = 4;

  RecoveryTrace {
    recovered = Set.copyOf(recovered);
  }

  static Path place(Path file) {
    return file.toAbsolutePath().resolveSibling(LogName.prefix(file) + SUFFIX);
  }

  /** The trace beside a file; null if there is none that can be read. */
  static @Nullable RecoveryTrace of(Path file) throws IOException {
    try {
      String text = new String(Files.readAllBytes(place(file)), StandardCharsets.UTF_8);
      String[] words = text.trim().split(" ", -1);
      if (words.length < FIELDS) return null;
      FileStamp stamp =
          new FileStamp(
              Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
      Set<Integer> recovered = new TreeSet<>();
      for (int i = FIELDS; i < words.length; i++) recovered.add(Integer.parseInt(words[i]));
      return new RecoveryTrace(Long.parseLong(words[0]), stamp, recovered);
    } catch (NoSuchFileException e) {
      return null;
    } catch (NumberFormatException e) {
      // The trace is incomplete; then the file counts as changed, which is safe.
      return null;
    }
  }

  /** Notes that these ranks' logs are in the file, unless all ranks' are. */
  static void leave(Path file, long run, int ranks, Set<Integer> recovered) throws IOException {
    RecoveryTrace before = of(file);
    Set<Integer> all = new TreeSet<>(recovered);
    if (before != null && before.run == run) all.addAll(before.recovered);
    if (all.size() >= ranks) {
      remove(file);
      return;
    }
    FileStamp stamp = FileStamp.of(file);
    StringBuilder text = new StringBuilder();
    text.append(run).append(' ').append(stamp.number()).append(' ').append(stamp.sizeBytes());
    text.append(' ').append(stamp.modifiedNanos());
    for (int rank : all) text.append(' ').append(rank);
    Files.write(place(file), (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static void remove(Path file) throws IOException {
    Files.deleteIfExists(place(file));
  }
}
