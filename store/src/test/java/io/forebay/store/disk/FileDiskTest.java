// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.disk.Disk.FileEntry;
import io.forebay.store.disk.Disk.Outcome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class FileDiskTest extends DiskContract {
  private static final int THREADS = 2;
  private static final int PENDING_MAX = 64;

  @TempDir Path directory;

  private final AtomicInteger wakeUps = new AtomicInteger();

  @Override
  protected Disk open() throws IOException {
    return new FileDisk(directory, THREADS, PENDING_MAX, wakeUps::incrementAndGet);
  }

  @Test
  void needsADirectory() {
    assertThatThrownBy(
            () -> new FileDisk(directory.resolve("none"), THREADS, PENDING_MAX, () -> {}))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  @Timeout(60)
  void aLackOfMemoryIsAnsweredAndThrownOn() throws InterruptedException {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> thrown.add(error));
    try {
      ((FileDisk) disk)
          .submit(
              "a",
              outcomes::add,
              () -> {
                throw new OutOfMemoryError("by the test");
              });
      while (outcomes.isEmpty() || thrown.isEmpty()) {
        disk.await(1_000_000);
        disk.poll();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Failure.class);
    assertThat(thrown).singleElement().isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void nextProcessFindsTheFiles() throws IOException {
    user.create("a", 5000);
    user.write("a", 100, bytes(1, 1000));
    user.map("a").put(0, (byte) 7);
    disk.close();
    openDisk();
    assertThat(disk.list()).containsExactly(new FileEntry("a", 5000));
    assertThat(user.read("a", 100, 1000)).isEqualTo(bytes(1, 1000));
    assertThat(user.map("a").get(0)).isEqualTo((byte) 7);
  }

  @Test
  void listsRegularFilesOnly() throws IOException {
    Files.createDirectory(directory.resolve("subdirectory"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
    user.create("a", 1);
    assertThat(disk.list()).containsExactly(new FileEntry("a", 1));
  }

  @Test
  void wakesItsOwnerForEveryAnswer() {
    for (int i = 0; i < 10; i++) user.create("f" + i, 1);
    // The wake-up comes after the answer, so the last may still be under way.
    disk.close();
    assertThat(wakeUps.get()).isEqualTo(10);
  }

  @Test
  void tooManyPendingRequestsAreAMistake() {
    for (int i = 0; i < PENDING_MAX; i++) disk.force("a", outcome -> {});
    assertThatThrownBy(() -> disk.force("a", outcome -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void requestThatBreaksIsAnswered() {
    user.create("a", 100);
    ByteBuffer unfit = ByteBuffer.allocate(10).asReadOnlyBuffer();
    user.mustFail(Disk.Reason.IO, done -> disk.read("a", 0, unfit, done));
  }

  @Test
  void interruptOfTheOwnerBreaksNoChannel() throws IOException {
    user.create("a", 100);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> disk.readNow("a", 0, ByteBuffer.allocate(10)))
        .isInstanceOf(IOException.class);
    int[] seen = {0};
    disk.scan("a", 0, 100, 10, (at, bytes, chunk) -> seen[0] += chunk == null ? 0 : bytes);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(seen[0]).isEqualTo(100);
    assertThat(user.read("a", 0, 10)).isEqualTo(new byte[10]);
  }

  @Test
  void mapsFilesWithHolesWithoutChangingThem() throws IOException {
    int bytes = (5 << 20) + 777;
    byte[] tail = bytes(2, 3000);
    byte[] expected = new byte[bytes];
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("sparse").toFile(), "rw")) {
      file.setLength(bytes);
      for (int at : new int[] {0, 1 << 20, (4 << 20) - 1500, bytes - tail.length}) {
        file.seek(at);
        file.write(tail);
        System.arraycopy(tail, 0, expected, at, tail.length);
      }
    }
    assertThat(user.map("sparse")).isEqualTo(ByteBuffer.wrap(expected));
  }

  @Test
  void closeUnmaps() {
    user.create("a", 5000);
    ByteBuffer view = user.map("a");
    disk.close();
    assertThatThrownBy(() -> view.get(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void completionMayClose() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      disk.create(
          "f" + i,
          1,
          outcome -> {
            outcomes.add(outcome);
            disk.close();
          });
    }
    user.settle();
    assertThat(outcomes).hasSize(1);
  }

  @Test
  void socketsReadStraightIntoAMapping() throws IOException {
    byte[] sent = bytes(3, 4096);
    user.create("a", sent.length);
    ByteBuffer view = user.map("a");
    try (ServerSocketChannel server =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel client = SocketChannel.open(server.getLocalAddress());
        SocketChannel accepted = server.accept()) {
      ByteBuffer source = ByteBuffer.wrap(sent);
      while (source.hasRemaining()) client.write(source);
      while (view.hasRemaining()) accepted.read(view);
    }
    assertThat(user.read("a", 0, sent.length)).isEqualTo(sent);
  }
}
