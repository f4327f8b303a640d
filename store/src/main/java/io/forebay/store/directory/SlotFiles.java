// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a directory that are slots, as plain files. Stateless; any thread. */
public final class SlotFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SlotFiles.class);

  private SlotFiles() {}

  /** The slots there, in no order; none where there is no such directory. */
  public static List<Path> list(Path directory, String prefix) throws IOException {
    if (!Files.isDirectory(directory)) return List.of();
    List<Path> slots = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, prefix + "*")) {
      for (Path entry : entries) slots.add(entry);
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    return slots;
  }

  /** Removes the slots, the marks of their owner, and the directory unless more is in it. */
  static void remove(Path directory, String prefix) throws IOException {
    for (Path slot : list(directory, prefix)) Files.deleteIfExists(slot);
    MemoryClaim.removeMarks(directory);
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException others) {
      LOG.warn("'{}' stays, since files are in it that belong to no log", directory, others);
    }
  }
}
