// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A small tree of files of all kinds, and what such a tree looks like to {@code find}. */
final class Manifest {
  private static final int[] SIZES = {0, 1, 4095, 4096, 4097, 70_000, 1 << 20, (3 << 20) + 17};

  private Manifest() {}

  /** Makes the tree. */
  static void plant(Path root, SplittableRandom random) throws IOException {
    Path deep = Files.createDirectories(root.resolve("a/b/c"));
    for (int i = 0; i < SIZES.length; i++) {
      byte[] bytes = new byte[SIZES[i]];
      random.nextBytes(bytes);
      Path file = (i % 2 == 0 ? root : deep).resolve("file " + i);
      Files.write(file, bytes);
      Files.setPosixFilePermissions(
          file, PosixFilePermissions.fromString(i % 3 == 0 ? "rwxr-x---" : "r--r--r--"));
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_123L + i));
    }
    for (int i = 0; i < 40; i++) Files.writeString(deep.resolve("small" + i), "small " + i);
    Files.createLink(root.resolve("hard"), deep.resolve("small1"));
    Files.createSymbolicLink(root.resolve("soft"), Path.of("a/b/c/file 5"));
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
    Files.createDirectory(root.resolve("empty"));
    Files.writeString(root.resolve("Größe"), "a name in UTF-8");
  }

  /** All that matters of the tree, in the order of names. */
  static SortedMap<String, String> of(Programs programs, Path root)
      throws IOException, InterruptedException {
    SortedMap<String, String> all = new TreeMap<>();
    add(all, programs.run(root, "find", ".", "-type", "d", "-printf", "%p\\t%y %m %U %G\\n"));
    add(all, programs.run(root, "find", ".", "-type", "l", "-printf", "%p\\t%y %l\\n"));
    add(
        all,
        programs.run(root, "find", ".", "-type", "f", "-printf", "%p\\t%y %m %U %G %n %s %T@\\n"));
    String sums = programs.run(root, "find", ".", "-type", "f", "-exec", "cksum", "{}", "+");
    for (String line : sums.lines().toList()) {
      String[] parts = line.split(" ", 3);
      all.merge(parts[2], " sum " + parts[0], String::concat);
    }
    return all;
  }

  private static void add(SortedMap<String, String> all, String lines) {
    for (String line : lines.lines().toList()) {
      String[] parts = line.split("\t", 2);
      all.put(parts[0], parts[1]);
    }
  }

  /** Whether both are one file. */
  static boolean linked(Path one, Path other) throws IOException {
    return Files.getAttribute(one, "unix:ino", LinkOption.NOFOLLOW_LINKS)
        .equals(Files.getAttribute(other, "unix:ino", LinkOption.NOFOLLOW_LINKS));
  }
}
