// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.mount.TestMount;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each operation by itself, with what it answers when it cannot be done. */
@Timeout(120)
class OperationsTest {
  private static final int XATTR_CREATE = 1;
  private static final int XATTR_REPLACE = 2;

  private static TestMount mount;
  private static int tests;

  private final LinuxFiles files = new LinuxFiles(4 << 20);
  private Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    mount = TestMount.embedded(TestMount.DEFAULT_CACHE);
  }

  @AfterAll
  static void end() throws IOException {
    if (mount != null) mount.close();
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createDirectory(mount.directory().resolve("test-" + ++tests));
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private int open(String name, int flags) {
    LinuxFiles.Outcome outcome = files.open(path(name), flags, 0644);
    assertThat(outcome.done()).as("%s: %s", name, outcome).isTrue();
    return (int) outcome.value();
  }

  private static void assertDone(LinuxFiles.Outcome outcome) {
    assertThat(outcome.errno()).isZero();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String read(int file, int length, long at) {
    return new String(files.bytes(files.read(file, length, at).value()), StandardCharsets.UTF_8);
  }

  @Test
  void filesAreMadeOnceAndOpenedAsAskedFor() {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.EXCLUSIVE | LinuxFiles.READ_WRITE);
    assertDone(files.write(file, bytes("0123456789"), 0));
    assertThat(files.open(path("a"), LinuxFiles.CREATE | LinuxFiles.EXCLUSIVE, 0644).errno())
        .isEqualTo(Errno.EEXIST);
    assertThat(files.open(path("b"), LinuxFiles.READ_WRITE, 0).errno()).isEqualTo(Errno.ENOENT);
    int reader = open("a", LinuxFiles.READ_ONLY);
    assertThat(files.write(reader, bytes("x"), 0).errno()).isEqualTo(Errno.EBADF);
    assertThat(read(reader, 100, 4)).isEqualTo("456789");
    int appender = open("a", LinuxFiles.WRITE_ONLY | LinuxFiles.APPEND);
    assertDone(files.write(appender, bytes("ab"), -1));
    assertThat(read(reader, 100, 8)).isEqualTo("89ab");
    assertDone(files.close(open("a", LinuxFiles.WRITE_ONLY | LinuxFiles.TRUNCATE)));
    assertThat(files.read(reader, 100, 0).value()).isZero();
    for (int each : List.of(file, reader, appender)) assertDone(files.close(each));
  }

  @Test
  void sizesFollowWritesAndTruncations() {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.READ_WRITE);
    assertDone(files.write(file, new byte[3_000_000], 100));
    assertDone(files.stat(file));
    assertThat(files.found().sizeBytes()).isEqualTo(3_000_100);
    assertDone(files.truncate(file, 50));
    assertDone(files.truncate(path("a"), 7_000));
    assertDone(files.stat(path("a")));
    assertThat(files.found().sizeBytes()).isEqualTo(7_000);
    assertThat(files.truncate(path("."), 0).errno()).isEqualTo(Errno.EISDIR);
    assertDone(files.close(file));
  }

  @Test
  void aFileLivesOnWithoutItsName() {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.READ_WRITE);
    assertDone(files.write(file, bytes("before"), 0));
    assertDone(files.unlink(path("a")));
    assertThat(files.stat(path("a")).errno()).isEqualTo(Errno.ENOENT);
    assertDone(files.write(file, bytes(" and after"), 6));
    assertDone(files.force(file, false));
    assertDone(files.changeMode(file, 0600));
    assertDone(files.stat(file));
    assertThat(files.found().links()).isZero();
    assertThat(read(file, 100, 0)).isEqualTo("before and after");
    assertDone(files.close(file));
  }

  @Test
  void aDirectoryThatIsOpenKeepsItsAttributesWithoutItsName() {
    assertDone(files.makeDirectory(path("d"), 0755));
    int directory = open("d", LinuxFiles.DIRECTORY);
    assertDone(files.removeDirectory(path("d")));
    assertDone(files.changeMode(directory, 0700));
    assertDone(files.stat(directory));
    assertThat(files.found().mode() & 07777).isEqualTo(0700);
    assertThat(files.found().links()).isZero();
    assertThat(files.stat(path("d")).errno()).isEqualTo(Errno.ENOENT);
    assertDone(files.close(directory));
  }

  @Test
  void namesAreMadeMovedAndRemoved() throws IOException {
    Files.writeString(directory.resolve("a"), "a");
    Files.writeString(directory.resolve("b"), "b");
    assertThat(files.rename(path("a"), path("b"), LinuxFiles.RENAME_NO_REPLACE).errno())
        .isEqualTo(Errno.EEXIST);
    assertDone(files.rename(path("a"), path("b"), LinuxFiles.RENAME_EXCHANGE));
    assertThat(Files.readString(directory.resolve("a"))).isEqualTo("b");
    assertDone(files.rename(path("a"), path("b"), 0));
    assertThat(Files.readString(directory.resolve("b"))).isEqualTo("b");
    assertDone(files.makeDirectory(path("d"), 0755));
    assertThat(files.makeDirectory(path("d"), 0755).errno()).isEqualTo(Errno.EEXIST);
    assertDone(files.rename(path("b"), path("d/b"), 0));
    assertThat(files.removeDirectory(path("d")).errno()).isEqualTo(Errno.ENOTEMPTY);
    assertThat(files.unlink(path("d")).errno()).isEqualTo(Errno.EISDIR);
    assertThat(files.rename(path("d"), path("d/b/c"), 0).errno()).isIn(Errno.EINVAL, Errno.ENOTDIR);
    assertDone(files.unlink(path("d/b")));
    assertDone(files.removeDirectory(path("d")));
    assertThat(files.stat(path("x".repeat(256))).errno()).isEqualTo(Errno.ENAMETOOLONG);
  }

  @Test
  void aLinkDoesNotHideWhatIsWrittenAndNotPublished() {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.READ_WRITE | LinuxFiles.APPEND);
    assertDone(files.write(file, bytes("kept"), 0));
    assertDone(files.link(path("a"), path("b")));
    assertThat(read(file, 100, 0)).isEqualTo("kept");
    assertDone(files.close(file));
  }

  @Test
  void linksShareTheFile() throws IOException {
    Files.writeString(directory.resolve("a"), "shared");
    assertDone(files.link(path("a"), path("b")));
    assertDone(files.stat(path("a")));
    long inode = files.found().inode();
    assertThat(files.found().links()).isEqualTo(2);
    assertDone(files.stat(path("b")));
    assertThat(files.found().inode()).isEqualTo(inode);
    Files.writeString(directory.resolve("b"), "changed");
    assertThat(Files.readString(directory.resolve("a"))).isEqualTo("changed");
    assertDone(files.symlink("a", path("s")));
    assertThat(Files.readSymbolicLink(directory.resolve("s"))).isEqualTo(Path.of("a"));
    assertThat(Files.readString(directory.resolve("s"))).isEqualTo("changed");
    assertDone(files.symlink("loop", path("loop")));
    assertThat(files.open(path("loop"), LinuxFiles.READ_ONLY, 0).errno()).isEqualTo(Errno.ELOOP);
  }

  @Test
  void attributesAreKept() throws IOException {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.WRITE_ONLY);
    assertDone(files.write(file, bytes("x"), 0));
    // As archivers do it: the time must outlast the close that follows.
    assertDone(files.changeTimes(path("a"), 981_173_106, 123_456_789));
    assertDone(files.close(file));
    assertDone(files.changeMode(path("a"), 0741));
    assertDone(files.changeOwner(path("a"), 7, 8));
    assertDone(files.stat(path("a")));
    LinuxFiles.Stat stat = files.found();
    assertThat(stat.modifiedSeconds()).isEqualTo(981_173_106);
    assertThat(stat.modifiedNanos()).isEqualTo(123_456_789);
    assertThat(stat.mode() & 07777).isEqualTo(0741);
    assertThat(List.of(stat.user(), stat.group())).containsExactly(7, 8);
  }

  @Test
  void extraAttributesAnswerAsXattrDoes() throws IOException {
    Files.createFile(directory.resolve("a"));
    String name = "user.color";
    assertThat(files.getAttribute(path("a"), name, 100).errno()).isEqualTo(Errno.ENODATA);
    assertThat(files.setAttribute(path("a"), name, bytes("red"), XATTR_REPLACE).errno())
        .isEqualTo(Errno.ENODATA);
    assertDone(files.setAttribute(path("a"), name, bytes("red"), XATTR_CREATE));
    assertThat(files.setAttribute(path("a"), name, bytes("red"), XATTR_CREATE).errno())
        .isEqualTo(Errno.EEXIST);
    assertThat(files.getAttribute(path("a"), name, 0).value()).isEqualTo(3);
    assertThat(files.getAttribute(path("a"), name, 2).errno()).isEqualTo(Errno.ERANGE);
    assertThat(files.getAttribute(path("a"), name, 100).value()).isEqualTo(3);
    assertThat(files.bytes(3)).isEqualTo(bytes("red"));
    assertThat(files.listAttributes(path("a"), 100).value()).isEqualTo(name.length() + 1);
    assertDone(files.removeAttribute(path("a"), name));
    assertThat(files.removeAttribute(path("a"), name).errno()).isEqualTo(Errno.ENODATA);
    assertThat(files.setAttribute(path("a"), "trusted.a", bytes("x"), 0).errno())
        .isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void roomIsTakenAndHolesAreMade() {
    int file = open("a", LinuxFiles.CREATE | LinuxFiles.READ_WRITE);
    assertDone(files.write(file, bytes("data"), 1 << 20));
    // Where the kernel keeps pages, all is data to it.
    assertThat(files.seek(file, 0, LinuxFiles.SEEK_DATA).value()).isZero();
    assertThat(files.seek(file, 0, LinuxFiles.SEEK_HOLE).value()).isEqualTo((1 << 20) + 4);
    assertThat(files.seek(file, 2 << 20, LinuxFiles.SEEK_DATA).errno()).isEqualTo(Errno.ENXIO);
    assertDone(files.allocate(file, 0, 0, 3 << 20));
    assertDone(files.stat(file));
    assertThat(files.found().sizeBytes()).isEqualTo(3 << 20);
    assertThat(files.found().blocks()).isEqualTo((3 << 20) / 512);
    assertDone(files.allocate(file, LinuxFiles.ALLOCATE_KEEP_SIZE, 0, 4 << 20));
    assertDone(files.stat(file));
    assertThat(files.found().sizeBytes()).isEqualTo(3 << 20);
    assertThat(files.found().blocks()).isEqualTo((4 << 20) / 512);
    int punch = LinuxFiles.ALLOCATE_PUNCH | LinuxFiles.ALLOCATE_KEEP_SIZE;
    assertDone(files.allocate(file, punch, (1 << 20) + 1, 2));
    assertThat(read(file, 4, 1 << 20)).isEqualTo("d\0\0a");
    assertDone(files.allocate(file, LinuxFiles.ALLOCATE_ZERO, 1 << 20, 1));
    assertThat(read(file, 4, 1 << 20)).isEqualTo("\0\0\0a");
    int collapse = 8;
    assertThat(files.allocate(file, collapse, 0, 4096).errno()).isEqualTo(Errno.EOPNOTSUPP);
    assertDone(files.close(file));
  }

  @Test
  void fifosJoinProgramsAndOutliveTheirNames() throws IOException, InterruptedException {
    String script =
        "cd \"$1\" && mkfifo p && (echo through >p &) && read line <p && echo \"$line\""
            + " && exec 3<>p && rm p && echo nameless >&3 && stat -L -c '%F %h' /dev/fd/3"
            + " && head -n 1 <&3";
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", script, "-", path(""));
    Process process = shell.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said.lines()).containsExactly("through", "fifo 0", "nameless");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void specialFilesAreWhatTheyWereMadeAs() {
    int fifo = 0010000;
    int socket = 0140000;
    int character = 0020000;
    assertDone(files.makeNode(path("p"), fifo | 0600, 0));
    assertDone(files.makeNode(path("s"), socket | 0600, 0));
    assertDone(files.makeNode(path("null"), character | 0666, 0x103));
    assertThat(files.makeNode(path("p"), fifo | 0600, 0).errno()).isEqualTo(Errno.EEXIST);
    assertDone(files.stat(path("s")));
    assertThat(files.found().mode()).isEqualTo(socket | 0600);
    assertDone(files.stat(path("null")));
    assertThat(files.found().mode() & 0170000).isEqualTo(character);
    assertThat(files.open(path("s"), LinuxFiles.READ_WRITE, 0).errno()).isEqualTo(Errno.ENXIO);
    // A mount is one without devices unless it is made with 'dev'.
    assertThat(files.open(path("null"), LinuxFiles.READ_WRITE, 0).errno()).isEqualTo(Errno.EACCES);
    assertThat(files.truncate(path("p"), 0).errno()).isEqualTo(Errno.EINVAL);
    assertDone(files.link(path("p"), path("q")));
    assertDone(files.rename(path("q"), path("s"), 0));
    assertDone(files.unlink(path("p")));
    assertDone(files.stat(path("s")));
    assertThat(files.found().mode()).isEqualTo(fifo | 0600);
  }

  @Test
  void rangesAreCopied() {
    int from = open("a", LinuxFiles.CREATE | LinuxFiles.READ_WRITE);
    int to = open("b", LinuxFiles.CREATE | LinuxFiles.READ_WRITE);
    byte[] content = new byte[2_000_000];
    new Random(7).nextBytes(content);
    assertDone(files.write(from, content, 0));
    long copied = 0;
    while (copied < content.length) {
      LinuxFiles.Outcome outcome =
          files.copyRange(from, copied, to, copied + 10, content.length - copied);
      assertDone(outcome);
      copied += outcome.value();
    }
    assertThat(files.read(to, 3_000_000, 10).value()).isEqualTo(content.length);
    assertThat(files.bytes(content.length)).isEqualTo(content);
    assertDone(files.close(from));
    assertDone(files.close(to));
  }

  @Test
  void aLargeDirectoryIsListedOnceEachAlsoWhileItIsEmptied() throws IOException {
    List<String> expected =
        new ArrayList<>(IntStream.range(0, 250).mapToObj("name-%d"::formatted).toList());
    for (String name : expected) Files.createFile(directory.resolve(name));
    Collections.sort(expected);
    List<String> found = new ArrayList<>();
    try (var names = Files.newDirectoryStream(directory)) {
      for (Path each : names) {
        found.add(each.getFileName().toString());
        Files.delete(each);
      }
    }
    Collections.sort(found);
    assertThat(found).isEqualTo(expected);
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void namesThatAreNoTextAreRefused() throws IOException, InterruptedException {
    // The JDK itself cannot say such a name.
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", "printf x > \"$1\"/$'caf\\xe9'; exit $?", "-", path(""));
    Process process = shell.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isNotZero();
    assertThat(said).contains("Invalid or incomplete multibyte");
    Files.writeString(directory.resolve("café ☕"), "x");
    assertThat(directory.toFile().list()).containsExactly("café ☕");
  }

  @Test
  void theSpaceOfTheInstanceIsShown() throws IOException {
    assertThat(Files.getFileStore(directory).type()).isEqualTo("fuse.forebay");
    assertThat(Files.getFileStore(directory).getUsableSpace()).isPositive();
  }
}
