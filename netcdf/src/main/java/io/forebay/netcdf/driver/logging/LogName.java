// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.store.FileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The files of one log. Their names contain the name of the netCDF file and a checksum of its path,
 * so that one directory can have logs of many files.
 */
public record LogName(Path entries, Path data) {
  private static final String ENTRIES = ".meta";
  private static final String DATA = ".data";

  /**
   * A part of the log of a rank, or of a node's ranks.
   *
   * @param number of the rank or the node
   */
  static LogName of(LogSettings settings, Path file, int number, int part) {
    String owner = (settings.sharedByNode() ? "n" : "r") + number;
    String name = prefix(file) + owner + (part == 0 ? "" : "." + part);
    Path directory = settings.directory();
    return new LogName(directory.resolve(name + ENTRIES), directory.resolve(name + DATA));
  }

  /** All logs in a directory that belong to a file. */
  public static List<LogName> find(Path directory, Path file) throws IOException {
    return find(directory, prefix(file));
  }

  /**
   * Whether a directory has logs of a file, checked by the names of the first ones: fast in large
   * directories.
   */
  public static boolean exist(Path directory, Path file) {
    for (String owner : List.of("r0", "n0")) {
      if (Files.exists(directory.resolve(prefix(file) + owner + ENTRIES))) return true;
    }
    return false;
  }

  /** Removes all logs in a directory that belong to a file, unless a program uses them. */
  public static List<LogName> discardAll(Path directory, Path file) throws IOException {
    List<LogName> left = find(directory, file);
    for (LogName log : left) OpenLog.requireUnused(log);
    for (LogName log : left) log.delete();
    RecoveryTrace.remove(file);
    return left;
  }

  /** All logs in a directory, of any file. */
  public static List<LogName> inDirectory(Path directory) throws IOException {
    return find(directory, "");
  }

  private static List<LogName> find(Path directory, String prefix) throws IOException {
    List<LogName> found = new ArrayList<>();
    if (!Files.isDirectory(directory)) return found;
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path path : all) {
        String name = path.getFileName().toString();
        if (name.startsWith(prefix) && name.endsWith(ENTRIES)) entries.add(path);
      }
    }
    Collections.sort(entries);
    for (Path path : entries) {
      String name = path.getFileName().toString();
      String data = name.substring(0, name.length() - ENTRIES.length()) + DATA;
      found.add(new LogName(path, path.resolveSibling(data)));
    }
    return found;
  }

  /** What the names of all logs of a file begin with. */
  static String prefix(Path file) {
    CRC32C checksum = new CRC32C();
    checksum.update(FileNames.absolute(file).getBytes(StandardCharsets.UTF_8));
    Path name = file.toAbsolutePath().normalize().getFileName();
    return name + "-" + HexFormat.of().toHexDigits((int) checksum.getValue()) + "-";
  }

  /** Whether a program uses it. */
  public boolean isUsed() throws IOException {
    return OpenLog.isUsed(this);
  }

  /** Removes a log unless a program uses it. */
  public void discard() throws IOException {
    OpenLog.requireUnused(this);
    delete();
  }

  void delete() throws IOException {
    Files.deleteIfExists(entries);
    Files.deleteIfExists(data);
  }
}
