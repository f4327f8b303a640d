// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.held;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread accesses files as another user, and no other thread does. */
@Timeout(60)
class FileSystemUserTest {
  private static final int USER = 1234;
  private static final int OTHER = 1235;
  private static final int GROUP = 4321;
  private static final int PROJECT = 4322;
  private static final List<Integer> GROUPS = List.of(GROUP, PROJECT);

  @TempDir private Path base;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(FileSystemUser.isAble(), "needs the right to act as others: run the suite as root");
    Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path file(String name, int user, int group, int mode) throws IOException {
    Path file = Files.writeString(base.resolve(name), "content");
    Files.setAttribute(file, "unix:gid", group);
    Files.setAttribute(file, "unix:uid", user);
    Files.setAttribute(file, "unix:mode", mode);
    return file;
  }

  /** User, group and groups of a thread, as the kernel tells. */
  private static String credentials() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
      if (line.startsWith("Uid:") || line.startsWith("Gid:") || line.startsWith("Groups:")) {
        all.append(line.strip()).append('\n');
      }
    }
    return all.toString();
  }

  @Test
  void theKernelRefusesWhatTheUserMayNotRead() throws IOException {
    Path own = file("own", USER, USER, 0600);
    Path ofProject = file("project", OTHER, PROJECT, 0640);
    Path ofRoot = file("root", 0, 0, 0660);
    assertThat(FileSystemUser.as(USER, GROUPS, () -> Files.readString(own))).isEqualTo("content");
    assertThat(FileSystemUser.as(USER, GROUPS, () -> Files.readString(ofProject)))
        .as("all groups count")
        .isEqualTo("content");
    for (Path refused : List.of(own, ofProject, ofRoot)) {
      assertThatThrownBy(
              () -> FileSystemUser.as(65534, List.of(65534), () -> Files.readString(refused)))
          .isInstanceOf(AccessDeniedException.class);
    }
    assertThatThrownBy(() -> FileSystemUser.as(USER, GROUPS, () -> Files.readString(ofRoot)))
        .as("the groups of the server do not count")
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void newFilesBelongToTheUser() throws IOException {
    Files.setAttribute(base, "unix:mode", 0777);
    Path made = FileSystemUser.as(USER, GROUPS, () -> Files.writeString(base.resolve("made"), "x"));
    Path other =
        FileSystemUser.as(OTHER, List.of(), () -> Files.createDirectory(base.resolve("other")));
    assertThat(Ownership.of(made)).extracting("user", "group").containsExactly(USER, GROUP);
    assertThat(Ownership.of(other)).extracting("user", "group").containsExactly(OTHER, OTHER);
  }

  @Test
  void theThreadIsItselfAgainAlsoAfterAFailure() throws IOException {
    String before = credentials();
    String within = FileSystemUser.as(USER, GROUPS, FileSystemUserTest::credentials);
    assertThat(within).contains("Groups:\t4321 4322").isNotEqualTo(before);
    assertThat(credentials()).isEqualTo(before);
    assertThatThrownBy(
            () ->
                FileSystemUser.as(
                    USER,
                    GROUPS,
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
    assertThat(credentials()).isEqualTo(before);
    assertThatThrownBy(() -> FileSystemUser.as(-1, GROUPS, () -> "never"))
        .hasMessageContaining("does not let this server act as user 4294967295");
    assertThatThrownBy(() -> FileSystemUser.as(USER, List.of(-1), () -> "never"))
        .hasMessageContaining("does not let this server act as user");
    assertThat(credentials()).isEqualTo(before);
  }

  @Test
  void otherThreadsStayWhatTheyAre() throws Exception {
    String before = credentials();
    CountDownLatch acting = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    AtomicReference<String> inside = new AtomicReference<>("");
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    FileSystemUser.as(
                        USER,
                        GROUPS,
                        () -> {
                          inside.set(credentials());
                          acting.countDown();
                          awaited(looked);
                          return true;
                        });
                  } catch (IOException e) {
                    inside.set(e.toString());
                  }
                });
    acting.await();
    String meanwhile = credentials();
    looked.countDown();
    thread.join();
    assertThat(meanwhile).isEqualTo(before);
    assertThat(inside.get()).contains("\t" + USER, "Groups:\t4321 4322");
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aThreadActsAsOneUserAtATimeAndNoVirtualThreadDoes() throws Exception {
    String nested =
        FileSystemUser.as(
            USER, GROUPS, () -> FileSystemUser.as(USER, GROUPS, FileSystemUserTest::credentials));
    assertThat(nested).contains("\t" + USER);
    assertThatThrownBy(
            () ->
                FileSystemUser.as(
                    USER, GROUPS, () -> FileSystemUser.as(OTHER, GROUPS, () -> "never")))
        .hasMessageContaining("acts as user 1234 already");
    AtomicReference<String> said = new AtomicReference<>("");
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                said.set(FileSystemUser.as(USER, GROUPS, () -> "done"));
              } catch (IOException | IllegalStateException e) {
                said.set(e.getMessage());
              }
            })
        .join();
    assertThat(said.get()).contains("virtual thread");
  }

  @Test
  void onlyAProcessWithoutFurtherRightsOverFilesActsForOthers() {
    long switching = 1L << 6 | 1L << 7;
    assertThat(FileSystemUser.suffices(0, -1L)).isTrue();
    assertThat(FileSystemUser.suffices(0, 1L << 6)).isFalse();
    assertThat(FileSystemUser.suffices(1000, 0)).isFalse();
    assertThat(FileSystemUser.suffices(1000, switching)).isTrue();
    assertThat(FileSystemUser.suffices(1000, switching | 1L << 1))
        .as("it would override the modes of files for every user")
        .isFalse();
  }
}
