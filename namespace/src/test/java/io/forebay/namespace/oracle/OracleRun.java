// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.TestGroup;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A tree beside a real directory: each operation is done on both. */
final class OracleRun implements AutoCloseable {
  /** So deep that no {@code ..} behind symlinks climbs out of the tree. */
  private static final int DEPTH = 100;

  private static final int COMPARE_EVERY = 40;
  private static final int SET_GROUPS_X86 = 116;
  private static final int SET_GROUPS_ARM = 159;
  private static final String[] NAMES = {"a", "b", "c", "d"};
  private static final int[] MODES = {
    0755, 0777, 0700, 0750, 0644, 0666, 0600, 0444, 0000, 0311, 02775, 02755, 01777, 04755, 06711,
    02644
  };
  private static final Identity[] USERS = {
    Identity.root(),
    new Identity(1001, List.of(2001)),
    new Identity(1002, List.of(2001)),
    new Identity(1003, List.of(2002))
  };

  private final SplittableRandom random;
  private final TestGroup group = TestGroup.begun();
  private final Path base;
  private final LinuxCalls linux;
  private final boolean protectedNames;
  private final int mask;
  private final long start;
  private final Set<ErrorCode> outcomes;
  private Identity who = Identity.root();
  private String told = "";

  /**
   * Begins in an empty directory.
   *
   * @param outcomes gets every outcome that was seen
   */
  OracleRun(Path place, SplittableRandom random, Set<ErrorCode> outcomes) throws IOException {
    this.random = random;
    this.outcomes = outcomes;
    String down = "p/".repeat(DEPTH) + "w";
    base = Files.createDirectories(place.resolve(down));
    String at = "";
    for (String name : down.split("/", -1)) {
      at = at.isEmpty() ? name : at + "/" + name;
      group.mkdir(at);
    }
    start = group.stat(down).number();
    linux = new LinuxCalls(base);
    protectedNames = isSet("protected_symlinks") || isSet("protected_regular");
    mask = umask();
    int setGroups =
        System.getProperty("os.arch").equals("aarch64") ? SET_GROUPS_ARM : SET_GROUPS_X86;
    assertThat(linux.settle(setGroups)).isTrue();
  }

  private static boolean isSet(String setting) throws IOException {
    Path file = Path.of("/proc/sys/fs", setting);
    return Files.exists(file) && !Files.readString(file).strip().equals("0");
  }

  private static int umask() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Umask:")) return Integer.parseInt(line.substring(6).strip(), 8);
    }
    throw new IllegalStateException("no umask");
  }

  void run(int operations) throws IOException {
    both("chmod", linux.changeMode(".", 0777), setMode(".", 0777));
    for (int i = 0; i < operations; i++) {
      who = USERS[random.nextInt(3) == 0 ? 0 : random.nextInt(USERS.length)];
      linux.become(who);
      group.who = who;
      operate();
      if (i % COMPARE_EVERY == 0 || i == operations - 1) {
        linux.become(Identity.root());
        group.who = Identity.root();
        new Comparison().compare(".", start);
      }
    }
  }

  private void operate() {
    switch (random.nextInt(17)) {
      case 0, 1 -> makeDirectory();
      case 2, 3, 4 -> open();
      case 5 -> symlink();
      case 6 -> link();
      case 7 -> unlink();
      case 8 -> removeDirectory();
      case 9, 10 -> rename();
      case 11 -> changeMode();
      case 12 -> changeOwner();
      case 13 -> changeTimes();
      case 14 -> truncate();
      case 15 -> makeNode();
      default -> look();
    }
  }

  private void both(String what, ErrorCode expected, ErrorCode found) {
    told = what;
    outcomes.add(expected);
    assertThat(found).as("%s by user %d", what, who.user()).isEqualTo(expected);
  }

  private void makeDirectory() {
    String path = path();
    int mode = mode();
    both(
        "mkdir '%s' %o".formatted(path, mode),
        linux.makeDirectory(path, mode),
        group.tryChange(new Names.MakeDirectory(start, path, mode & ~mask)));
  }

  private void makeNode() {
    String path = path();
    int mode = mode();
    boolean fifo = random.nextBoolean();
    Names.Kind kind = fifo ? Names.Kind.FIFO : Names.Kind.SOCKET;
    both(
        "mknod '%s' %s %o".formatted(path, kind, mode),
        linux.makeNode(path, (fifo ? LinuxCalls.FIFO : LinuxCalls.SOCKET) | mode),
        group.tryChange(new Names.MakeNode(start, path, kind, mode & ~mask, 0)));
  }

  /** What Linux opens by itself, perhaps waiting for another to open it too. */
  private boolean isSpecial(String path) {
    return group.ask(new Names.Lookup(start, path, true)) instanceof Names.NodeIs node
        && node.attributes().kind().isSpecial();
  }

  private void open() {
    String path = path();
    if (isSpecial(path)) return;
    int mode = mode();
    boolean read = random.nextBoolean();
    boolean write = !read || random.nextBoolean();
    boolean create = random.nextInt(3) > 0;
    boolean exclusive = create && random.nextInt(4) == 0;
    boolean truncate = random.nextInt(4) == 0;
    int flags =
        (write ? (read ? LinuxCalls.READ_WRITE : LinuxCalls.WRITE_ONLY) : LinuxCalls.READ_ONLY)
            | (create ? LinuxCalls.CREATE : 0)
            | (exclusive ? LinuxCalls.EXCLUSIVE : 0)
            | (truncate ? LinuxCalls.TRUNCATE : 0);
    Names.Open open =
        new Names.Open(start, path, read, write, create, exclusive, truncate, mode & ~mask);
    String what = "open '%s' flags %o mode %o".formatted(path, flags, mode);
    ErrorCode expected = linux.open(path, flags, mode);
    var early =
        group.state.openExisting(TestGroup.BUFFER, TestGroup.TREE, group.session, 0, who, open);
    if (early != null) both(what, expected, group.code(early));
    else both(what, expected, group.tryChange(open));
  }

  private void symlink() {
    String target = path();
    String path = path();
    both(
        "symlink '%s' at '%s'".formatted(target, path),
        linux.symlink(target, path),
        group.tryChange(new Names.MakeSymlink(start, path, target)));
  }

  private void link() {
    String path = path();
    String newPath = path();
    ErrorCode expected = linux.link(path, newPath);
    // Linux may be set to refuse links to files of others, which POSIX knows nothing of.
    if (expected == ErrorCode.NOT_PERMITTED && who.user() != Identity.ROOT) return;
    both(
        "link '%s' to '%s'".formatted(newPath, path),
        expected,
        group.tryChange(new Names.MakeLink(start, path, start, newPath)));
  }

  private void unlink() {
    String path = path();
    both(
        "unlink '%s'".formatted(path),
        linux.unlink(path),
        group.tryChange(new Names.Unlink(start, path)));
  }

  private void removeDirectory() {
    String path = path();
    both(
        "rmdir '%s'".formatted(path),
        linux.removeDirectory(path),
        group.tryChange(new Names.RemoveDirectory(start, path)));
  }

  private void rename() {
    String path = path();
    String newPath = path();
    int flags = random.nextInt(3) > 0 ? 0 : random.nextInt(4);
    both(
        "rename '%s' to '%s' flags %d".formatted(path, newPath, flags),
        linux.rename(path, newPath, flags),
        group.tryChange(
            new Names.Rename(start, path, start, newPath, (flags & 1) != 0, (flags & 2) != 0)));
  }

  private void changeMode() {
    String path = path();
    int mode = mode();
    both("chmod '%s' %o".formatted(path, mode), linux.changeMode(path, mode), setMode(path, mode));
  }

  private ErrorCode setMode(String path, int mode) {
    return group.tryChange(new Names.SetAttributes(start, path, true, mode, -1, -1, -1, -1, -1));
  }

  private void changeOwner() {
    String path = path();
    int user = random.nextInt(3) > 0 ? -1 : USERS[random.nextInt(USERS.length)].user();
    int owning = random.nextBoolean() ? -1 : USERS[random.nextInt(USERS.length)].primaryGroup();
    // A change of nothing is not even asked for.
    if (user == -1 && owning == -1) return;
    boolean follow = random.nextBoolean();
    both(
        "chown '%s' %d:%d".formatted(path, user, owning),
        linux.changeOwner(path, user, owning, follow ? LinuxCalls.FOLLOW : LinuxCalls.NO_FOLLOW),
        group.tryChange(
            new Names.SetAttributes(start, path, follow, -1, user, owning, -1, -1, -1)));
  }

  private void changeTimes() {
    String path = path();
    boolean follow = random.nextBoolean();
    int access = random.nextInt(3);
    int modify = random.nextInt(3);
    // Times that both stay are not even asked for.
    if (access == 2 && modify == 2) return;
    long[] given = {5, LinuxCalls.TIME_NOW, LinuxCalls.TIME_OMIT};
    long[] ours = {1_000_000_005L, Names.NOW, Names.UNCHANGED};
    both(
        "utimens '%s' %d %d".formatted(path, given[access], given[modify]),
        linux.changeTimes(
            path, given[access], given[modify], follow ? LinuxCalls.FOLLOW : LinuxCalls.NO_FOLLOW),
        group.tryChange(
            new Names.SetAttributes(
                start, path, follow, -1, -1, -1, -1, ours[access], ours[modify])));
  }

  private void truncate() {
    String path = path();
    long size = random.nextInt(10_000);
    both(
        "truncate '%s' %d".formatted(path, size),
        linux.truncate(path, size),
        group.tryChange(new Names.SetAttributes(start, path, true, -1, -1, -1, size, -1, -1)));
  }

  private void look() {
    String path = path();
    boolean follow = random.nextBoolean();
    both(
        "stat '%s'".formatted(path),
        linux.look(path, follow ? LinuxCalls.FOLLOW : LinuxCalls.NO_FOLLOW),
        group.tryAsk(new Names.Lookup(start, path, follow)));
    int access = random.nextInt(8);
    both(
        "access '%s' %d".formatted(path, access),
        linux.access(path, access),
        group.tryAsk(new Names.CheckAccess(start, path, true, access)));
    both(
        "readlink '%s'".formatted(path),
        linux.readLink(path),
        group.tryAsk(new Names.ReadLink(start, path)));
    both(
        "list '%s'".formatted(path),
        linux.open(path, LinuxCalls.DIRECTORY, 0),
        group.tryAsk(new Names.ListDirectory(start, path, "", 10)));
  }

  /** Mostly short paths to few names, so that they meet; sometimes odd ones. */
  private String path() {
    StringBuilder path = new StringBuilder();
    int parts = 1 + random.nextInt(random.nextInt(3) == 0 ? 4 : 2);
    for (int part = 0; part < parts; part++) {
      if (part > 0) path.append(random.nextInt(20) == 0 ? "//" : "/");
      path.append(
          switch (random.nextInt(40)) {
            case 0 -> ".";
            case 1 -> "..";
            case 2 -> "x".repeat(254 + random.nextInt(4));
            default -> NAMES[random.nextInt(NAMES.length)];
          });
    }
    if (random.nextInt(12) == 0) path.append('/');
    return path.toString();
  }

  private int mode() {
    int mode = MODES[random.nextInt(random.nextBoolean() ? 2 : MODES.length)];
    return protectedNames ? mode & ~01000 : mode;
  }

  @Override
  public void close() {
    linux.become(Identity.root());
    linux.close();
  }

  /** Both trees, node by node. */
  private final class Comparison {
    private final Map<Long, Long> numbers = new HashMap<>();

    void compare(String path, long number) throws IOException {
      Names.Attributes found = group.stat(number);
      LinuxCalls.Stat expected = linux.stat(path);
      String as = "'%s' after %s".formatted(path, told);
      assertThat(numbers.merge(expected.inode(), number, (old, now) -> old)).isEqualTo(number);
      assertThat(Integer.toOctalString(expected.mode()))
          .as(as)
          .isEqualTo(Integer.toOctalString(kindBits(found.kind()) | found.mode()));
      assertThat(found.user()).as(as).isEqualTo(expected.user());
      assertThat(found.group()).as(as).isEqualTo(expected.group());
      assertThat(found.links()).as(as).isEqualTo(expected.links());
      if (found.kind() == Names.Kind.DIRECTORY) {
        compareEntries(path, number);
      } else {
        assertThat(found.sizeBytes()).as(as).isEqualTo(expected.sizeBytes());
      }
    }

    private void compareEntries(String path, long number) throws IOException {
      Names.Listing listing =
          group.must(
              Names.Listing.class, group.ask(new Names.ListDirectory(number, "", "", 10_000)));
      List<String> names = new ArrayList<>();
      listing.entries().forEach(entry -> names.add(entry.name()));
      try (Stream<Path> entries = Files.list(base.resolve(path))) {
        assertThat(names)
            .as("entries of '%s' after %s", path, told)
            .containsExactlyElementsOf(
                new TreeSet<>(entries.map(entry -> entry.getFileName().toString()).toList()));
      }
      for (Names.NamedNode entry : listing.entries()) {
        compare(path + "/" + entry.name(), entry.attributes().number());
      }
    }

    private static int kindBits(Names.Kind kind) {
      return switch (kind) {
        case FILE -> 0100000;
        case DIRECTORY -> 0040000;
        case SYMLINK -> 0120000;
        case FIFO -> LinuxCalls.FIFO;
        case SOCKET -> LinuxCalls.SOCKET;
        case CHARACTER_DEVICE -> 0020000;
        case BLOCK_DEVICE -> 0060000;
      };
    }
  }
}
