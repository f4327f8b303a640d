// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.file.FileStat;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The attributes of a node, in the JDK's terms. */
record StatAttributes(FileStat stat) implements PosixFileAttributes {
  /** From the highest bit down. */
  private static final List<PosixFilePermission> BITS =
      List.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  static final int PERMISSION_BITS = 0777;

  static int modeOf(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission bit : BITS) mode = (mode << 1) | (permissions.contains(bit) ? 1 : 0);
    return mode;
  }

  @Override
  public UserPrincipal owner() {
    return new NumberPrincipal.User(stat.user());
  }

  @Override
  public GroupPrincipal group() {
    return new NumberPrincipal.Group(stat.group());
  }

  @Override
  public Set<PosixFilePermission> permissions() {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    int mask = 1 << (BITS.size() - 1);
    for (PosixFilePermission bit : BITS) {
      if ((stat.mode() & mask) != 0) set.add(bit);
      mask >>= 1;
    }
    return set;
  }

  @Override
  public FileTime lastModifiedTime() {
    return FileTime.from(stat.modifyTime());
  }

  @Override
  public FileTime lastAccessTime() {
    return FileTime.from(stat.accessTime());
  }

  /** When a node was made is not kept: the last modification, as the interface says. */
  @Override
  public FileTime creationTime() {
    return lastModifiedTime();
  }

  @Override
  public boolean isRegularFile() {
    return stat.isFile();
  }

  @Override
  public boolean isDirectory() {
    return stat.isDirectory();
  }

  @Override
  public boolean isSymbolicLink() {
    return stat.kind() == FileStat.Kind.SYMLINK;
  }

  @Override
  public boolean isOther() {
    return stat.isSpecial();
  }

  @Override
  public long size() {
    return stat.sizeBytes();
  }

  /** The same for all names of one file. */
  @Override
  public Object fileKey() {
    return "forebay:" + stat.number();
  }
}
