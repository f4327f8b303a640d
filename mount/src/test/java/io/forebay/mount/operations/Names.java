// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.util.SplittableRandom;

/** Random operations on names. */
final class Names {
  static final int[] MODES = {0755, 0777, 0700, 0644, 0666, 0600, 0444, 0000, 02775, 01777, 04755};

  private static final String[] FILES = {"a", "b", "c", "Größe"};
  private static final String[] DIRECTORIES = {"d", "e"};
  private static final String[] UNUSUAL = {"x".repeat(255), "y".repeat(256), "d/", ".", "a"};

  private static final int[] RENAMES = {
    0, 0, 0, LinuxFiles.RENAME_NO_REPLACE, LinuxFiles.RENAME_EXCHANGE
  };
  private static final String[] ATTRIBUTES = {"user.a", "user.b", "user.long name"};
  private static final int ATTRIBUTE_BYTES_MAX = 300;
  private static final int USERS = 3;

  private final Twins twins;
  private final SplittableRandom random;
  private final Abilities abilities;
  private final OpenFiles files;

  Names(Twins twins, Abilities abilities, OpenFiles files) {
    this.twins = twins;
    this.random = twins.random;
    this.abilities = abilities;
    this.files = files;
  }

  void operate() {
    switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4, 5 -> open();
      case 6, 7 -> makeDirectory();
      case 8 -> removeDirectory();
      case 9, 10, 11 -> unlink();
      case 12, 13, 14 -> rename();
      case 15 -> link();
      case 16 -> symlink();
      case 17 -> truncate();
      case 18 -> changeMode();
      case 19 -> changeOwner();
      case 20 -> changeTimes();
      case 21 -> attributes();
      case 22 -> list();
      default -> stat();
    }
  }

  /** Mostly where a file may be, in a directory that may be there. */
  private String path() {
    return path(random.nextInt(5) == 0 ? DIRECTORIES : FILES);
  }

  private String path(String[] last) {
    StringBuilder path = new StringBuilder();
    for (int deeper = random.nextInt(8) / 3; deeper > 0; deeper--) {
      path.append(among(random.nextInt(20) == 0 ? FILES : DIRECTORIES)).append('/');
    }
    return path.append(among(random.nextInt(40) == 0 ? UNUSUAL : last)).toString();
  }

  private String among(String[] names) {
    return names[random.nextInt(names.length)];
  }

  private int mode() {
    return MODES[random.nextInt(MODES.length)];
  }

  private void open() {
    int access = random.nextInt(3) == 0 ? random.nextInt(3) : LinuxFiles.READ_WRITE;
    int flags =
        access
            | (random.nextInt(4) > 0 ? LinuxFiles.CREATE : 0)
            | rarely(10, LinuxFiles.EXCLUSIVE)
            | rarely(6, LinuxFiles.TRUNCATE)
            | rarely(5, LinuxFiles.APPEND)
            | rarely(20, LinuxFiles.DIRECTORY)
            | rarely(12, LinuxFiles.NO_FOLLOW);
    // Both at once are refused or not, depending on the kernel's age alone.
    if ((flags & LinuxFiles.CREATE) != 0) flags &= ~LinuxFiles.DIRECTORY;
    files.open(path(), flags, mode());
  }

  private int rarely(int of, int flag) {
    return random.nextInt(of) == 0 ? flag : 0;
  }

  private void makeDirectory() {
    String path = path(random.nextInt(8) == 0 ? FILES : DIRECTORIES);
    int mode = mode();
    twins.both(
        "mkdir '%s' %o".formatted(path, mode),
        side -> side.linux.makeDirectory(side.at(path), mode));
  }

  private void removeDirectory() {
    String path = path(random.nextInt(8) == 0 ? FILES : DIRECTORIES);
    twins.both("rmdir '" + path + "'", side -> side.linux.removeDirectory(side.at(path)));
  }

  private void unlink() {
    String path = path();
    twins.both("unlink '" + path + "'", side -> side.linux.unlink(side.at(path)));
  }

  private void rename() {
    String[] last = random.nextInt(4) == 0 ? DIRECTORIES : FILES;
    String from = path(last);
    String to = random.nextInt(8) == 0 ? path() : path(last);
    int flags = RENAMES[random.nextInt(RENAMES.length)];
    if (flags == LinuxFiles.RENAME_EXCHANGE && !abilities.exchange()) return;
    twins.both(
        "rename '%s' '%s' %d".formatted(from, to, flags),
        side -> side.linux.rename(side.at(from), side.at(to), flags));
  }

  private void link() {
    String from = path();
    String to = path();
    if (!abilities.linksToSymlinks()) {
      twins.model.linux.stat(twins.model.at(from));
      if (twins.model.linux.found().isSymlink()) return;
    }
    twins.both(
        "link '%s' '%s'".formatted(from, to), side -> side.linux.link(side.at(from), side.at(to)));
  }

  private void symlink() {
    // Never upwards: a path must not lead out of the directories.
    String target = random.nextInt(10) == 0 ? "." : path();
    String path = path();
    twins.both(
        "symlink '%s' at '%s'".formatted(target, path),
        side -> side.linux.symlink(target, side.at(path)));
  }

  private void truncate() {
    String path = path();
    long size = random.nextInt(200_000);
    twins.both(
        "truncate '%s' to %d".formatted(path, size),
        side -> side.linux.truncate(side.at(path), size));
  }

  private void changeMode() {
    String path = path();
    int mode = mode();
    twins.both(
        "chmod '%s' %o".formatted(path, mode), side -> side.linux.changeMode(side.at(path), mode));
  }

  private void changeOwner() {
    if (!abilities.owners()) return;
    String path = path();
    int user = random.nextInt(USERS);
    int group = random.nextInt(USERS);
    twins.both(
        "lchown '%s' %d %d".formatted(path, user, group),
        side -> side.linux.changeOwner(side.at(path), user, group));
  }

  private void changeTimes() {
    String path = path();
    long seconds = random.nextInt(Integer.MAX_VALUE);
    int nanos = random.nextInt(1_000_000_000);
    LinuxFiles.Outcome outcome =
        twins.both(
            "utimensat '%s' %d.%09d".formatted(path, seconds, nanos),
            side -> side.linux.changeTimes(side.at(path), seconds, nanos));
    if (!outcome.done()) return;
    twins.same(
        "time of '" + path + "'",
        side -> {
          side.linux.stat(side.at(path));
          LinuxFiles.Stat found = side.linux.found();
          return "%d.%09d".formatted(found.modifiedSeconds(), found.modifiedNanos());
        });
  }

  private void attributes() {
    if (!abilities.extendedAttributes()) return;
    String path = path();
    String name = ATTRIBUTES[random.nextInt(ATTRIBUTES.length)];
    switch (random.nextInt(4)) {
      case 0 ->
          twins.both(
              "removexattr '%s' %s".formatted(path, name),
              side -> side.linux.removeAttribute(side.at(path), name));
      case 1 ->
          twins.same("attributes of '" + path + "'", side -> TreeComparison.extended(side, path));
      default -> {
        byte[] value = new byte[random.nextInt(ATTRIBUTE_BYTES_MAX)];
        random.nextBytes(value);
        int flags = random.nextInt(3);
        twins.both(
            "setxattr '%s' %s %d flags %d".formatted(path, name, value.length, flags),
            side -> side.linux.setAttribute(side.at(path), name, value, flags));
      }
    }
  }

  private void list() {
    String path = path();
    LinuxFiles.Outcome found =
        twins.both("stat '" + path + "'", side -> side.linux.stat(side.at(path)));
    if (found.done() && twins.model.linux.found().isDirectory()) {
      twins.same("names in '" + path + "'", side -> TreeComparison.names(side, path));
    }
  }

  private void stat() {
    String path = path();
    int rights = random.nextInt(8);
    LinuxFiles.Outcome found =
        twins.both("stat '" + path + "'", side -> side.linux.stat(side.at(path)));
    twins.both(
        "access '%s' %d".formatted(path, rights), side -> side.linux.access(side.at(path), rights));
    if (found.done()) new TreeComparison(twins, abilities).node(path);
  }
}
