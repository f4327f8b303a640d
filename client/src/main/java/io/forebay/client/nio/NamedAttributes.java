// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Attributes by their names, such as {@code posix:permissions}. */
final class NamedAttributes {
  private static final List<String> BASIC =
      List.of(
          "size",
          "isRegularFile",
          "isDirectory",
          "isSymbolicLink",
          "isOther",
          "lastModifiedTime",
          "lastAccessTime",
          "creationTime",
          "fileKey");

  private static final List<String> POSIX = List.of("permissions", "owner", "group");
  private static final List<String> UNIX =
      List.of("mode", "uid", "gid", "ino", "nlink", "rdev", "ctime");

  /** Bits of a mode beside the permissions. */
  private static final int DIRECTORY_BITS = 0040000;

  private static final int FILE_BITS = 0100000;
  private static final int LINK_BITS = 0120000;
  private static final int FIFO_BITS = 0010000;
  private static final int SOCKET_BITS = 0140000;
  private static final int CHARACTER_DEVICE_BITS = 0020000;
  private static final int BLOCK_DEVICE_BITS = 0060000;

  private final Forebay client;
  private final String path;
  private final boolean follow;

  NamedAttributes(Forebay client, String path, boolean follow) {
    this.client = client;
    this.path = path;
    this.follow = follow;
  }

  Map<String, Object> read(String viewAndNames) throws IOException {
    int colon = viewAndNames.indexOf(':');
    String view = colon < 0 ? "basic" : viewAndNames.substring(0, colon);
    List<String> wanted = List.of(viewAndNames.substring(colon + 1).split(",", -1));
    Map<String, Object> found = new LinkedHashMap<>();
    if (view.equals("user")) {
      ExtraView extras = new ExtraView(client, path);
      for (String name : wanted.contains("*") ? extras.list() : wanted) {
        found.put(name, extras.get(name));
      }
      return found;
    }
    Set<String> known = namesOf(view);
    StatAttributes attributes = new StatAttributes(client.stat(path, follow));
    for (String name : wanted.contains("*") ? List.copyOf(known) : wanted) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException("'" + name + "' is no attribute of view '" + view + "'");
      }
      found.put(name, value(attributes, name));
    }
    return found;
  }

  private static Set<String> namesOf(String view) {
    Set<String> names = new LinkedHashSet<>();
    switch (view) {
      case "basic" -> names.addAll(BASIC);
      case "owner" -> names.add("owner");
      case "posix" -> {
        names.addAll(BASIC);
        names.addAll(POSIX);
      }
      case "unix" -> {
        names.addAll(BASIC);
        names.addAll(POSIX);
        names.addAll(UNIX);
      }
      default -> throw new UnsupportedOperationException("view '" + view + "' is not supported");
    }
    return names;
  }

  private static Object value(StatAttributes attributes, String name) {
    return switch (name) {
      case "size" -> attributes.size();
      case "isRegularFile" -> attributes.isRegularFile();
      case "isDirectory" -> attributes.isDirectory();
      case "isSymbolicLink" -> attributes.isSymbolicLink();
      case "isOther" -> attributes.isOther();
      case "lastModifiedTime" -> attributes.lastModifiedTime();
      case "lastAccessTime" -> attributes.lastAccessTime();
      case "creationTime" -> attributes.creationTime();
      case "fileKey" -> attributes.fileKey();
      case "permissions" -> attributes.permissions();
      case "owner" -> attributes.owner();
      case "group" -> attributes.group();
      case "mode" -> mode(attributes);
      case "uid" -> attributes.stat().user();
      case "gid" -> attributes.stat().group();
      case "ino" -> attributes.stat().number();
      case "nlink" -> attributes.stat().links();
      case "rdev" -> attributes.stat().device();
      case "ctime" -> FileTime.from(attributes.stat().changeTime());
      default -> throw new IllegalStateException("no value for " + name);
    };
  }

  private static int mode(StatAttributes attributes) {
    int kind =
        switch (attributes.stat().kind()) {
          case FILE -> FILE_BITS;
          case DIRECTORY -> DIRECTORY_BITS;
          case SYMLINK -> LINK_BITS;
          case FIFO -> FIFO_BITS;
          case SOCKET -> SOCKET_BITS;
          case CHARACTER_DEVICE -> CHARACTER_DEVICE_BITS;
          case BLOCK_DEVICE -> BLOCK_DEVICE_BITS;
        };
    return attributes.stat().mode() | kind;
  }

  void write(String viewAndName, Object value) throws IOException {
    int colon = viewAndName.indexOf(':');
    String view = colon < 0 ? "basic" : viewAndName.substring(0, colon);
    String name = viewAndName.substring(colon + 1);
    if (view.equals("user")) {
      ByteBuffer bytes =
          value instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) value;
      new ExtraView(client, path).write(name, bytes);
      return;
    }
    if (!namesOf(view).contains(name)) {
      throw new IllegalArgumentException("'" + name + "' is no attribute of view '" + view + "'");
    }
    PosixView target = new PosixView(client, path, follow, view);
    switch (name) {
      case "lastModifiedTime" -> target.setTimes((FileTime) value, null, null);
      case "lastAccessTime" -> target.setTimes(null, (FileTime) value, null);
      case "creationTime" -> target.setTimes(null, null, (FileTime) value);
      case "permissions" -> target.setPermissions(permissions(value));
      case "owner" -> target.setOwner((UserPrincipal) value);
      case "group" -> target.setGroup((GroupPrincipal) value);
      case "mode" -> target.setMode((Integer) value);
      case "uid" -> target.setOwner((Integer) value, -1);
      case "gid" -> target.setOwner(-1, (Integer) value);
      default -> throw new IllegalArgumentException("'" + name + "' cannot be set");
    }
  }

  /** The value of the attribute must be a set of permissions. */
  static Set<PosixFilePermission> permissions(Object value) {
    Set<PosixFilePermission> permissions = new LinkedHashSet<>();
    for (Object each : (Set<?>) value) permissions.add((PosixFilePermission) each);
    return permissions;
  }
}
