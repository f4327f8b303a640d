// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import io.forebay.backing.held.Ownership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;

/**
 * The kernel's attributes of a node of the file system.
 *
 * @param mode with the bits of its kind
 */
public record FileNode(int mode, int user, int group, int links, long sizeBytes, Instant modified) {
  private static final String WANTED = "unix:mode,uid,gid,nlink,size,lastModifiedTime";
  private static final int KIND_BITS = 0170000;
  private static final int DIRECTORY = 0040000;
  private static final int REGULAR = 0100000;
  private static final int SYMLINK = 0120000;

  /** A copy must not grant the rights of another user. */
  private static final int PERMISSION_BITS = 0777;

  public static FileNode of(Path path, LinkOption... options) throws IOException {
    Map<String, Object> told = Files.readAttributes(path, WANTED, options);
    return new FileNode(
        number(told, "mode"),
        number(told, "uid"),
        number(told, "gid"),
        number(told, "nlink"),
        told.get("size") instanceof Long size ? size : 0,
        told.get("lastModifiedTime") instanceof FileTime time ? time.toInstant() : Instant.EPOCH);
  }

  private static int number(Map<String, Object> told, String name) {
    if (told.get(name) instanceof Integer number) return number;
    throw new IllegalStateException("no " + name + " in " + told);
  }

  Item.Kind kind() {
    return switch (mode & KIND_BITS) {
      case REGULAR -> Item.Kind.FILE;
      case DIRECTORY -> Item.Kind.DIRECTORY;
      case SYMLINK -> Item.Kind.SYMLINK;
      default -> Item.Kind.OTHER;
    };
  }

  Ownership ownership() {
    return new Ownership(mode, user, group);
  }

  Item item(String name) {
    return new Item(name, kind(), sizeBytes, modified, mode & PERMISSION_BITS, links);
  }
}
