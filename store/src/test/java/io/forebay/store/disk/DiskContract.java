// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.disk.Disk.FileEntry;
import io.forebay.store.disk.Disk.Outcome;
import io.forebay.store.disk.Disk.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Disk} does. */
@Timeout(60)
abstract class DiskContract {
  private static final String NAME = "segment-1";
  private static final int BYTES = 10_000;
  // Longer than any stride that an implementation works in, and not a multiple of it.
  private static final int LARGE_BYTES = (9 << 20) + 1234;

  protected Disk disk;
  protected DiskUser user;

  protected abstract Disk open() throws IOException;

  @BeforeEach
  void openDisk() throws IOException {
    disk = open();
    user = new DiskUser(disk);
  }

  @AfterEach
  void closeDisk() {
    disk.close();
  }

  @Test
  void startsEmpty() throws IOException {
    assertThat(disk.list()).isEmpty();
    assertThat(disk.pending()).isZero();
    assertThat(disk.poll()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, BYTES, LARGE_BYTES})
  void createsFilesOfZeros(int bytes) throws IOException {
    user.create(NAME, bytes);
    assertThat(disk.list()).containsExactly(new FileEntry(NAME, bytes));
    assertThat(user.read(NAME, 0, bytes)).isEqualTo(new byte[bytes]);
  }

  @Test
  void listsByName() throws IOException {
    user.create("c", 3);
    user.create("a", 1);
    user.create("b", 2);
    assertThat(disk.list())
        .containsExactly(new FileEntry("a", 1), new FileEntry("b", 2), new FileEntry("c", 3));
  }

  @Test
  void refusesToCreateTwice() throws IOException {
    user.create(NAME, BYTES);
    user.write(NAME, 0, bytes(1, 100));
    user.mustFail(Reason.EXISTS, done -> disk.create(NAME, 2 * BYTES, done));
    assertThat(disk.list()).containsExactly(new FileEntry(NAME, BYTES));
    assertThat(user.read(NAME, 0, 100)).isEqualTo(bytes(1, 100));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 512, 4095, BYTES - 700})
  void readsWhatWasWritten(int position) throws IOException {
    user.create(NAME, BYTES);
    byte[] written = bytes(2, 700);
    user.write(NAME, position, written);
    byte[] expected = new byte[BYTES];
    System.arraycopy(written, 0, expected, position, written.length);
    assertThat(user.read(NAME, 0, BYTES)).isEqualTo(expected);
    ByteBuffer now = ByteBuffer.allocate(written.length);
    disk.readNow(NAME, position, now);
    assertThat(now.array()).isEqualTo(written);
  }

  @Test
  void movesLargeFiles() throws IOException {
    user.create(NAME, LARGE_BYTES);
    byte[] written = bytes(3, LARGE_BYTES);
    user.write(NAME, 0, written);
    user.force(NAME);
    assertThat(user.read(NAME, 0, LARGE_BYTES)).isEqualTo(written);
  }

  @Test
  void usesRemainingBytesOnlyAndAdvancesOnSuccess() {
    user.create(NAME, BYTES);
    ByteBuffer source = ByteBuffer.wrap(bytes(4, 100)).position(10).limit(30);
    user.must(done -> disk.write(NAME, 5, source, done));
    assertThat(source.position()).isEqualTo(30);
    ByteBuffer target = ByteBuffer.allocateDirect(50).position(7).limit(27);
    user.must(done -> disk.read(NAME, 5, target, done));
    assertThat(target.position()).isEqualTo(27);
    assertThat(target.position(7)).isEqualTo(source.position(10));
  }

  @Test
  void answersRequestsOutsideTheFile() {
    user.create(NAME, BYTES);
    ByteBuffer buffer = ByteBuffer.allocate(10).position(1);
    for (long position : new long[] {-1, BYTES - 8, BYTES, Long.MAX_VALUE}) {
      user.mustFail(Reason.MISSING, done -> disk.write(NAME, position, buffer, done));
      user.mustFail(Reason.MISSING, done -> disk.read(NAME, position, buffer, done));
      assertThatThrownBy(() -> disk.readNow(NAME, position, buffer))
          .isInstanceOf(EOFException.class);
      // So that a request can be made again after a failure.
      assertThat(buffer.position()).isEqualTo(1);
    }
    assertThatThrownBy(() -> disk.scan(NAME, 0, BYTES + 1, 512, (at, bytes, chunk) -> {}))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void answersRequestsForMissingFiles() {
    ByteBuffer buffer = ByteBuffer.allocate(10);
    user.mustFail(Reason.MISSING, done -> disk.write(NAME, 0, buffer, done));
    user.mustFail(Reason.MISSING, done -> disk.read(NAME, 0, buffer, done));
    user.mustFail(Reason.MISSING, done -> disk.force(NAME, done));
    user.mustFail(Reason.MISSING, done -> disk.delete(NAME, done));
    user.mustFail(Reason.MISSING, done -> disk.map(NAME, done));
    assertThatThrownBy(() -> disk.mapped(NAME)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> disk.readNow(NAME, 0, buffer)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.scan(NAME, 0, 1, 512, (at, bytes, chunk) -> {}))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "/a", "../a", "a\\b", "a\0b"})
  void refusesNamesThatAreNotPlain(String name) {
    ByteBuffer buffer = ByteBuffer.allocate(1);
    List<Runnable> requests =
        List.of(
            () -> disk.create(name, 1, outcome -> {}),
            () -> disk.write(name, 0, buffer, outcome -> {}),
            () -> disk.read(name, 0, buffer, outcome -> {}),
            () -> disk.force(name, outcome -> {}),
            () -> disk.delete(name, outcome -> {}),
            () -> disk.map(name, outcome -> {}));
    for (Runnable request : requests) {
      assertThatThrownBy(request::run).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> disk.readNow(name, 0, buffer))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(disk.pending()).isZero();
  }

  @Test
  void deletesForGood() throws IOException {
    user.create(NAME, BYTES);
    user.write(NAME, 0, bytes(5, BYTES));
    user.must(done -> disk.delete(NAME, done));
    assertThat(disk.list()).isEmpty();
    user.mustFail(Reason.MISSING, done -> disk.force(NAME, done));
    user.create(NAME, BYTES);
    assertThat(user.read(NAME, 0, BYTES)).isEqualTo(new byte[BYTES]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4097, BYTES, LARGE_BYTES})
  void mappingIsTheFile(int bytes) throws IOException {
    byte[] written = bytes(6, bytes);
    user.create(NAME, bytes);
    user.write(NAME, 0, written);
    ByteBuffer view = user.map(NAME);
    assertThat(view.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(view).isEqualTo(ByteBuffer.wrap(written));

    byte[] stored = bytes(7, bytes);
    view.put(0, stored);
    assertThat(user.read(NAME, 0, bytes)).isEqualTo(stored);
    user.force(NAME);

    user.write(NAME, bytes / 2, new byte[] {42});
    assertThat(view.get(bytes / 2)).isEqualTo((byte) 42);
  }

  @Test
  void viewsShareBytesButNotPositions() {
    user.create(NAME, BYTES);
    ByteBuffer one = user.map(NAME);
    ByteBuffer other = user.map(NAME);
    one.put((byte) 9);
    assertThat(other.position()).isZero();
    assertThat(other.get()).isEqualTo((byte) 9);
  }

  @Test
  void aMappingEndsWithItsFile() {
    user.create(NAME, BYTES);
    user.map(NAME).put(BYTES - 1, (byte) 1);
    user.must(done -> disk.delete(NAME, done));
    assertThatThrownBy(() -> disk.mapped(NAME)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void answersOnThePollingThreadInsidePoll() throws InterruptedException {
    Thread owner = Thread.currentThread();
    boolean[] polling = {false};
    List<String> wrong = new ArrayList<>();
    int requests = 20;
    for (int i = 0; i < requests; i++) {
      disk.create(
          "f" + i,
          100,
          outcome -> {
            if (!polling[0]) wrong.add("outside poll");
            if (!Thread.currentThread().equals(owner)) wrong.add("other thread");
          });
    }
    assertThat(disk.pending()).isEqualTo(requests);
    int answered = 0;
    while (answered < requests) {
      disk.await(TimeUnit.SECONDS.toNanos(1));
      polling[0] = true;
      answered += disk.poll();
      polling[0] = false;
      assertThat(disk.pending()).isEqualTo(requests - answered);
    }
    assertThat(wrong).isEmpty();
    assertThat(disk.poll()).isZero();
  }

  @Test
  void completionsMaySubmit() throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    ByteBuffer target = ByteBuffer.allocate(100);
    disk.create(
        NAME,
        BYTES,
        created -> {
          outcomes.add(created);
          disk.write(
              NAME,
              0,
              ByteBuffer.wrap(bytes(8, 100)),
              written -> {
                outcomes.add(written);
                disk.read(NAME, 0, target, outcomes::add);
              });
        });
    user.settle();
    assertThat(outcomes).hasSize(3).allMatch(Outcome::succeeded);
    assertThat(target.array()).isEqualTo(bytes(8, 100));
  }

  @Test
  void completionThatThrowsCostsNobodyElseTheAnswer() {
    disk.create(
        "a",
        1,
        outcome -> {
          throw new UnsupportedOperationException("mine");
        });
    List<Outcome> others = new ArrayList<>();
    disk.create("b", 1, others::add);
    assertThatThrownBy(user::settle).isInstanceOf(UnsupportedOperationException.class);
    user.settle();
    assertThat(others).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 511, 512, 4096, 4999, BYTES, 1 << 20})
  void scansInOrder(int chunkBytes) throws IOException {
    byte[] written = bytes(9, BYTES);
    user.create(NAME, BYTES);
    user.write(NAME, 0, written);
    int from = 17;
    int to = BYTES - 3;
    byte[] seen = new byte[BYTES];
    long[] next = {from};
    disk.scan(
        NAME,
        from,
        to,
        chunkBytes,
        (position, bytes, chunk) -> {
          assertThat(position).isEqualTo(next[0]);
          assertThat(bytes).isEqualTo((int) Math.min(chunkBytes, to - position));
          assertThat(present(chunk).order()).isEqualTo(ByteOrder.BIG_ENDIAN);
          assertThat(present(chunk).remaining()).isEqualTo(bytes);
          present(chunk).get(seen, (int) position, bytes);
          next[0] += bytes;
        });
    assertThat(next[0]).isEqualTo(to);
    System.arraycopy(written, 0, seen, 0, from);
    System.arraycopy(written, to, seen, to, BYTES - to);
    assertThat(seen).isEqualTo(written);
  }

  @Test
  void scansNothing() throws IOException {
    user.create(NAME, BYTES);
    disk.scan(
        NAME,
        5,
        5,
        100,
        (at, bytes, chunk) -> {
          throw new AssertionError("chunk");
        });
  }

  @Test
  void scanPassesOnWhatItsVisitorThrows() throws IOException {
    user.create(NAME, BYTES);
    assertThatThrownBy(
            () ->
                disk.scan(
                    NAME,
                    0,
                    BYTES,
                    1000,
                    (at, bytes, chunk) -> {
                      if (at > 0) throw new UnsupportedOperationException("mine");
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(user.read(NAME, 0, 10)).isEqualTo(new byte[10]);
  }

  @Test
  void closeDropsWhatIsPending() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 10; i++) disk.create("f" + i, BYTES, outcomes::add);
    disk.close();
    assertThat(disk.pending()).isZero();
    assertThat(disk.poll()).isZero();
    assertThat(outcomes).isEmpty();
    assertThatThrownBy(() -> disk.create(NAME, 1, outcomes::add))
        .isInstanceOf(IllegalStateException.class);
    disk.close();
  }

  /** Bytes that differ by seed. */
  protected static byte[] bytes(long seed, int count) {
    byte[] bytes = new byte[count];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer present(@Nullable ByteBuffer chunk) {
    if (chunk == null) throw new AssertionError("unreadable chunk");
    return chunk;
  }
}
