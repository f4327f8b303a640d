// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/** Goes through all files below a directory; symbolic links are not followed. */
public final class TreeWalk {
  /** Gets each file. */
  public interface Visitor {
    void file(String path, FileStat stat) throws IOException;
  }

  private TreeWalk() {}

  public static void files(FileTree tree, String top, Visitor visitor) throws IOException {
    ArrayDeque<String> directories = new ArrayDeque<>(List.of(top));
    while (!directories.isEmpty()) {
      String directory = directories.remove();
      for (Iterator<DirectoryEntry> each = tree.list(directory); each.hasNext(); ) {
        DirectoryEntry entry = each.next();
        String path = directory + (directory.endsWith("/") ? "" : "/") + entry.name();
        if (entry.stat().isDirectory()) directories.add(path);
        else if (entry.stat().isFile()) visitor.file(path, entry.stat());
      }
    }
  }
}
