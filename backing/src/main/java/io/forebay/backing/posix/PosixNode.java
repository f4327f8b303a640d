// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import io.forebay.backing.BackingFile;
import io.forebay.backing.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A node of the file system. A symbolic link is reported as such. */
record PosixNode(BackingFile file) {
  private static final String ALL =
      "unix:mode,ino,nlink,uid,gid,size,lastModifiedTime,isRegularFile,isDirectory,isSymbolicLink";

  static PosixNode read(Path path) throws IOException {
    return of(Files.readAttributes(path, ALL, LinkOption.NOFOLLOW_LINKS));
  }

  /** For a held node, given a path to it. */
  static PosixNode ofHeld(Path self) throws IOException {
    return of(Files.readAttributes(self, ALL));
  }

  private static PosixNode of(Map<String, Object> values) {
    long modifyNanos = ((FileTime) value(values, "lastModifiedTime")).to(TimeUnit.NANOSECONDS);
    long bytes = (Long) value(values, "size");
    // Without the device: its number differs between the hosts of a cluster.
    String inode = value(values, "ino").toString();
    FileAttributes attributes =
        new FileAttributes(
            (Integer) value(values, "mode") & FileAttributes.MODE_MASK,
            (Integer) value(values, "uid"),
            (Integer) value(values, "gid"),
            modifyNanos);
    return new PosixNode(
        new BackingFile(
            kind(values),
            bytes,
            attributes,
            (Integer) value(values, "nlink"),
            inode,
            // Not the change time: a rename or another mode is no other content.
            "%s.%d.%d".formatted(inode, bytes, modifyNanos)));
  }

  String identity() {
    return file.identity();
  }

  boolean isFile() {
    return file.kind() == BackingFile.Kind.FILE;
  }

  static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    // From the owner's right to read, which is the highest bit, down to others' right to execute.
    int bit = (FileAttributes.MODE_MASK + 1) >> 1;
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if ((mode & bit) != 0) permissions.add(permission);
      bit >>= 1;
    }
    return permissions;
  }

  private static BackingFile.Kind kind(Map<String, Object> values) {
    if ((Boolean) value(values, "isRegularFile")) return BackingFile.Kind.FILE;
    if ((Boolean) value(values, "isDirectory")) return BackingFile.Kind.DIRECTORY;
    if ((Boolean) value(values, "isSymbolicLink")) return BackingFile.Kind.SYMLINK;
    return BackingFile.Kind.OTHER;
  }

  private static Object value(Map<String, Object> values, String key) {
    Object value = values.get(key);
    if (value == null) throw new IllegalStateException("no attribute " + key);
    return value;
  }
}
