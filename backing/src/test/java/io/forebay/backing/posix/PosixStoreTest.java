// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Sighting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only directories do, and their own kinds of trouble. */
@Timeout(60)
class PosixStoreTest {
  private static final int SMALL_BYTES = 1 << 20;
  private static final BackingPath PATH = BackingPath.of("dir/file");

  @TempDir Path root;

  private final List<Path> mounts = new ArrayList<>();
  private int attempts;

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    for (Path mount : mounts) assertThat(run("umount", "-l", mount.toString())).isTrue();
  }

  @Test
  void aMissingRootIsNamed() throws Exception {
    Path missing = root.resolve("missing");
    BackingStore store = open(missing);
    mustFail(BackingFailure.NoRoot.class, store::check).contains(missing.toString());
    mustFail(BackingFailure.NoRoot.class, () -> store.begin(plan(10)));
    mustFail(BackingFailure.NoRoot.class, () -> store.stat(PATH));
    Files.createFile(missing);
    mustFail(BackingFailure.NoRoot.class, store::check).contains("not a directory");
    Files.delete(missing);
    Files.createDirectory(missing);
    store.check();
  }

  @Test
  void aRootThatIsAnotherDirectoryNowIsNotWrittenTo() throws Exception {
    Path mounted = Files.createDirectory(root.resolve("mounted"));
    BackingStore store = open(mounted);
    store.check();
    Files.move(mounted, root.resolve("away"));
    Files.createDirectory(mounted);
    mustFail(BackingFailure.NoRoot.class, () -> store.begin(plan(10))).contains("mounted?");
    assertThat(mounted).isEmptyDirectory();
    Files.delete(mounted);
    Files.move(root.resolve("away"), mounted);
    store.check();
  }

  @Test
  void aFullStoreIsAnAnswerAndRecovers() throws Exception {
    mountSmall(root);
    BackingStore store = open(root);
    Path filler = root.resolve("filler");
    Files.write(filler, new byte[SMALL_BYTES / 2]);
    byte[] content = new byte[3 * SMALL_BYTES / 4];
    Attempt attempt = store.begin(plan(content.length));
    mustFail(
            BackingFailure.NoSpace.class,
            () -> store.write(attempt, 0, List.of(ByteBuffer.wrap(content))))
        .contains("make room");
    assertThat(root.resolve(PATH.text())).doesNotExist();
    Files.delete(filler);
    store.write(attempt, 0, List.of(ByteBuffer.wrap(content)));
    store.force(attempt);
    store.commit(attempt, PATH);
    assertThat(root.resolve(PATH.text())).hasBinaryContent(content);
  }

  @Test
  void aStoreThatMayNotBeWrittenSaysSo() throws Exception {
    mountSmall(root);
    Files.createDirectory(root.resolve("dir"));
    assumeTrue(
        run("mount", "-o", "remount,ro", root.toString()), "needs the right to mount: run as root");
    BackingStore store = open(root);
    mustFail(BackingFailure.NoPermission.class, store::check).contains("write there");
    mustFail(BackingFailure.NoPermission.class, () -> store.begin(plan(10)));
  }

  @Test
  void commitAcrossFileSystemsMustBeginAgain() throws Exception {
    mountSmall(Files.createDirectory(root.resolve("other")));
    BackingStore store = open(root);
    Attempt attempt = store.begin(plan(0));
    mustFail(
        BackingFailure.Changed.class, () -> store.commit(attempt, BackingPath.of("other/file")));
    assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.PENDING);
    store.commit(attempt, PATH);
  }

  @Test
  void linksOutOfTheRootAreNotFollowed() throws Exception {
    Path inside = Files.createDirectory(root.resolve("inside"));
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    Files.createSymbolicLink(inside.resolve("dir"), outside);
    BackingStore store = open(inside);
    BackingPath secret = BackingPath.of("dir/secret");
    List<ThrowingCallable> calls =
        List.of(
            () -> store.begin(plan(1)),
            () -> store.stat(secret),
            () -> store.read(secret, BackingStore.ANY_VERSION, 0, ByteBuffer.allocate(9)),
            () -> store.delete(secret, BackingStore.ANY_VERSION),
            () -> store.rename(secret, BackingPath.of("mine")),
            () -> store.list(BackingPath.of("dir")),
            () -> store.leftovers(BackingPath.of("dir")),
            () -> store.makeDirectory(BackingPath.of("dir/new"), FileAttributes.NONE),
            () -> store.makeSymlink(BackingPath.of("dir/new"), "x"),
            () -> store.removeDirectory(BackingPath.of("dir")));
    for (ThrowingCallable call : calls) mustFail(BackingFailure.WrongKind.class, call);
    assertThat(outside).isDirectoryContaining("glob:**/secret");
    assertThat(outside.toFile().list()).hasSize(1);
  }

  @Test
  void aRootMayBeReachedThroughALink() throws Exception {
    Path real = Files.createDirectory(root.resolve("real"));
    Path link = Files.createSymbolicLink(root.resolve("link"), real);
    BackingStore store = open(link);
    Attempt attempt = store.begin(plan(0));
    store.commit(attempt, PATH);
    assertThat(real.resolve(PATH.text())).isEmptyFile();
  }

  @Test
  void temporaryFilesAreBesideTheNameAndPrivate() throws Exception {
    BackingStore store = open(root);
    Attempt attempt = store.begin(plan(1_000));
    Path temporary = root.resolve("dir/.forebay-" + attempt.id());
    assertThat(temporary).isRegularFile().hasSize(1_000);
    assertThat(Files.getAttribute(temporary, "unix:ino").toString()).isEqualTo(attempt.handle());
    assertThat(Files.getPosixFilePermissions(temporary)).hasSize(2);
    store.commit(attempt, PATH);
    assertThat(temporary).doesNotExist();
    assertThat(store.stat(PATH).attributes().mode()).isEqualTo(0644);
  }

  @Test
  void anAttemptBeginsOnce() throws Exception {
    BackingStore store = open(root);
    Attempt attempt = store.begin(plan(10));
    mustFail(BackingFailure.Exists.class, () -> store.begin(attempt.plan()));
    assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.PENDING);
  }

  @Test
  void aTemporaryFileOfSomebodyElseIsNotCommitted() throws Exception {
    BackingStore store = open(root);
    Attempt attempt = store.begin(plan(10));
    Path temporary = root.resolve("dir/.forebay-" + attempt.id());
    Files.createFile(root.resolve("dir/other"));
    Files.delete(temporary);
    Files.move(root.resolve("dir/other"), temporary);
    mustFail(
        BackingFailure.NotFound.class,
        () -> store.write(attempt, 0, List.of(ByteBuffer.wrap(new byte[10]))));
    mustFail(BackingFailure.Changed.class, () -> store.commit(attempt, PATH));
    assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.GONE);
  }

  @Test
  void aDirectoryUnderTheFinalNameIsNotReplaced() throws Exception {
    BackingStore store = open(root);
    Files.createDirectories(root.resolve(PATH.text()).resolve("below"));
    Attempt attempt = store.begin(plan(0));
    mustFail(BackingFailure.WrongKind.class, () -> store.commit(attempt, PATH));
    assertThat(store.look(attempt, PATH)).isEqualTo(Sighting.PENDING);
  }

  @Test
  void manyAttemptsAtOnceAreAllForced() throws Exception {
    BackingStore store = open(root);
    List<Attempt> begun = new ArrayList<>();
    for (int i = 0; i < OpenAttempts.ATTEMPTS_MAX + 20; i++) {
      BackingPath path = BackingPath.of("many/" + i);
      Attempt attempt = store.begin(plan(path, 4));
      store.write(attempt, 0, List.of(ByteBuffer.allocate(4).putInt(0, i)));
      begun.add(attempt);
    }
    for (Attempt attempt : begun) {
      store.force(attempt);
      store.commit(attempt, attempt.plan().target());
    }
    for (int i = 0; i < begun.size(); i++) {
      byte[] content = Files.readAllBytes(root.resolve("many/" + i));
      assertThat(ByteBuffer.wrap(content).getInt()).isEqualTo(i);
    }
  }

  @Test
  void ownersAreKeptWherePermitted() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root: run the suite as root");
    BackingStore store = open(root);
    FileAttributes attributes =
        new FileAttributes(0604, 12_345, 23_456, 1_500_000_000_123_456_789L);
    Attempt attempt = store.begin(new AttemptPlan(new AttemptId("owner"), PATH, 0, attributes));
    assertThat(store.commit(attempt, PATH)).isEmpty();
    assertThat(store.stat(PATH).attributes()).isEqualTo(attributes);
    store.makeDirectory(BackingPath.of("private"), attributes);
    BackingFile made = store.stat(BackingPath.of("private"));
    assertThat(made.attributes()).isEqualTo(attributes);
  }

  @Test
  void hardLinksAreTold() throws Exception {
    BackingStore store = open(root);
    Files.writeString(root.resolve("one"), "x");
    Files.createLink(root.resolve("two"), root.resolve("one"));
    BackingFile one = store.stat(BackingPath.of("one"));
    assertThat(one.links()).isEqualTo(2);
    assertThat(one.identity()).isEqualTo(store.stat(BackingPath.of("two")).identity());
  }

  private static BackingStore open(Path directory) {
    return new PosixStore(directory, 1 << 20, null);
  }

  private AttemptPlan plan(long bytes) {
    return plan(PATH, bytes);
  }

  private AttemptPlan plan(BackingPath path, long bytes) {
    return new AttemptPlan(new AttemptId("t." + attempts++), path, bytes, FileAttributes.NONE);
  }

  private void mountSmall(Path directory) throws IOException, InterruptedException {
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + SMALL_BYTES, "tmpfs", directory.toString());
    assumeTrue(mounted, "needs the right to mount: run the suite as root");
    mounts.add(directory);
  }

  private static org.assertj.core.api.AbstractStringAssert<?> mustFail(
      Class<? extends BackingFailure> kind, ThrowingCallable call) {
    BackingException[] thrown = new BackingException[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(BackingException.class, failed -> thrown[0] = failed);
    assertThat(thrown[0].failure()).as(thrown[0].getMessage()).isInstanceOf(kind);
    return assertThat(thrown[0].failure().sentence());
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noSuchCommand) {
      return false;
    }
    return process.waitFor() == 0;
  }
}
