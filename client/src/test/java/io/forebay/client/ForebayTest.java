// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.failure.FileRefusedException;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.failure.ValueReplacedException;
import io.forebay.client.fake.FakeServer;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.file.FileStat;
import io.forebay.client.host.HostName;
import io.forebay.client.host.Location;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForebayTest extends ConnectedTest {
  ForebayTest() {
    super(3, 2);
  }

  @Test
  void filesAreWrittenAndReadBack() throws IOException {
    byte[] bytes = bytes(5_000_000, 1);
    try (ForebayFile file = client.open("/data", WRITE, READ, CREATE)) {
      file.write(ByteBuffer.wrap(bytes), 0);
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
      assertThat(file.size()).isEqualTo(bytes.length);
      file.sync();
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
    }
    try (Forebay other = Forebay.connect(server.uri());
        ForebayFile file = other.open("/data")) {
      assertThat(read(file, 0, bytes.length + 10)).isEqualTo(bytes);
    }
  }

  @Test
  void aFileIsPutWholeUnderAFreeName() throws IOException {
    byte[] bytes = bytes(3_000_000, 4);
    Instant when = Instant.parse("2020-02-03T04:05:06.123456789Z");
    client.put("/whole", ByteBuffer.wrap(bytes), 0640, when);
    client.put("/empty", ByteBuffer.allocate(0), 0600, null);
    try (Forebay other = Forebay.connect(server.uri());
        ForebayFile file = other.open("/whole")) {
      assertThat(read(file, 0, bytes.length + 10)).isEqualTo(bytes);
      assertThat(file.stat().modifyTime()).isEqualTo(when);
      assertThat(other.stat("/empty").sizeBytes()).isZero();
    }
    assertThatThrownBy(() -> client.put("/whole", ByteBuffer.allocate(1), 0640, null))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(client.stat("/whole").sizeBytes()).isEqualTo(bytes.length);
  }

  @Test
  void smallWritesThatFollowEachOtherShareRecords() throws IOException {
    byte[] bytes = bytes(1_000_000, 2);
    try (ForebayFile file = client.open("/small", WRITE, READ, CREATE)) {
      for (int at = 0; at < bytes.length; at += 100) {
        file.write(ByteBuffer.wrap(bytes, at, 100), at);
      }
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
    }
    assertThat(server.<Integer>on(ring -> ring.recordCount())).isLessThan(1000);
  }

  @Test
  void randomWritesLeaveWhatWasWrittenLast() throws IOException {
    long seed = TestSeed.first("ForebayTest");
    System.getLogger("test").log(System.Logger.Level.DEBUG, "seed " + seed);
    Random random = new Random(seed);
    byte[] expected = new byte[600_000];
    int size = 0;
    try (ForebayFile file = client.open("/random", WRITE, READ, CREATE);
        ForebayFile second = client.open("/random", READ)) {
      for (int i = 0; i < 400; i++) {
        int at = random.nextInt(500_000);
        byte[] part = bytes(1 + random.nextInt(i % 10 == 0 ? 100_000 : 500), random.nextLong());
        file.write(ByteBuffer.wrap(part), at);
        System.arraycopy(part, 0, expected, at, part.length);
        size = Math.max(size, at + part.length);
        if (random.nextInt(20) == 0) file.sync();
        if (random.nextInt(10) == 0) {
          byte[] now = java.util.Arrays.copyOf(expected, size);
          assertThat(read(second, 0, size + 1)).as("seed %d", seed).isEqualTo(now);
        }
      }
    }
  }

  @Test
  void asynchronousWritesAndReads() throws IOException {
    byte[] bytes = bytes(3_000_000, 3);
    try (ForebayFile file = client.open("/async", WRITE, READ, CREATE)) {
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int at = 0; at < bytes.length; at += 300_000) {
        writes.add(file.writeAsync(ByteBuffer.wrap(bytes, at, 300_000), at));
      }
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
      ByteBuffer target = ByteBuffer.allocateDirect(bytes.length);
      assertThat(file.readAsync(target, 0).join()).isEqualTo(bytes.length);
      assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(bytes));
    }
  }

  @Test
  void manyThreadsWriteOneFile() throws IOException, InterruptedException {
    int parts = 8;
    int partBytes = 400_000;
    byte[] bytes = bytes(parts * partBytes, 6);
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    try (ForebayFile file = client.open("/shared", WRITE, READ, CREATE)) {
      List<Thread> writers = new ArrayList<>();
      for (int part = 0; part < parts; part++) {
        int from = part * partBytes;
        int step = part % 2 == 0 ? 1000 : 100_000;
        writers.add(new Thread(() -> writePart(file, bytes, from, partBytes, step, failures)));
      }
      for (Thread writer : writers) writer.start();
      for (Thread writer : writers) writer.join();
      assertThat(failures).isEmpty();
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
    }
    try (ForebayFile file = client.open("/shared")) {
      assertThat(read(file, 0, bytes.length)).isEqualTo(bytes);
    }
  }

  private static void writePart(
      ForebayFile file, byte[] bytes, int from, int length, int step, Queue<Throwable> failures) {
    try {
      for (int at = from; at < from + length; at += step) {
        file.write(ByteBuffer.wrap(bytes, at, step), at);
      }
    } catch (IOException | RuntimeException e) {
      failures.add(e);
    }
  }

  @Test
  void actsForOthers() throws IOException {
    Forebay other = client.as(new Identity(1234, List.of(77)));
    other.mkdir("/theirs");
    assertThat(client.stat("/theirs").user()).isEqualTo(1234);
    assertThat(client.stat("/theirs").group()).isEqualTo(77);
    other.close();
    client.mkdir("/mine");
  }

  @Test
  void aSeatOnThisHostIsReachedThroughItsUnixSocket(@TempDir Path folder) throws IOException {
    try (FakeServer local = FakeServer.withUnixSockets(HostName.identity(), folder);
        Forebay buffer = Forebay.connect(local.uri())) {
      buffer.mkdir("/d");
      try (ForebayFile file = buffer.open("/d/f", WRITE, CREATE)) {
        file.write(ByteBuffer.allocate(100), 0);
      }
      assertThat(local.<List<String>>on(ring -> ring.remotes()))
          .isNotEmpty()
          .allMatch(remote -> remote.contains("unix"));
    }
  }

  @Test
  void streams() throws IOException {
    byte[] bytes = bytes(3_333_333, 4);
    try (OutputStream out = client.open("/stream", WRITE, CREATE).outputStream(0)) {
      new ByteArrayInputStream(bytes).transferTo(out);
    }
    try (OutputStream out = client.open("/stream", APPEND).outputStream(0)) {
      out.write(bytes, 0, 1000);
      out.write(7);
    }
    try (InputStream in = client.open("/stream").inputStream(0)) {
      byte[] all = in.readAllBytes();
      assertThat(all).hasSize(bytes.length + 1001).startsWith(bytes).endsWith(bytes[999], 7);
    }
  }

  @Test
  void names() throws IOException {
    client.mkdir("/a");
    client.mkdir("/a/b");
    client.open("/a/file", WRITE, CREATE_NEW).close();
    assertThat(list("/a")).containsExactly("b", "file");
    assertThatThrownBy(() -> client.rmdir("/a")).isInstanceOf(DirectoryNotEmptyException.class);
    assertThatThrownBy(() -> client.open("/a/file", WRITE, CREATE_NEW))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("/a/file");
    assertThatThrownBy(() -> client.open("/none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> client.open("/a", WRITE))
        .isInstanceOfSatisfying(
            FileRefusedException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.IS_A_DIRECTORY));
    client.rename("/a/file", "/moved");
    client.symlink("moved", "/link");
    assertThat(client.readlink("/link")).isEqualTo("moved");
    assertThat(client.stat("/link").kind()).isEqualTo(FileStat.Kind.FILE);
    assertThat(client.stat("/link", false).kind()).isEqualTo(FileStat.Kind.SYMLINK);
    client.link("/moved", "/second");
    assertThat(client.stat("/moved").links()).isEqualTo(2);
    client.unlink("/second");
    client.chmod("/moved", 0600);
    Instant time = Instant.ofEpochSecond(1234, 567);
    client.utimes("/moved", null, time);
    assertThat(client.stat("/moved").mode()).isEqualTo(0600);
    assertThat(client.stat("/moved").modifyTime()).isEqualTo(time);
    client.setExtra("/moved", "user.colour", new byte[] {1, 2});
    assertThat(client.listExtras("/moved")).containsExactly("user.colour");
    assertThat(client.getExtra("/moved", "user.colour")).containsExactly(1, 2);
    client.rmdir("/a/b");
    assertThat(list("/a")).isEmpty();
  }

  @Test
  void longDirectoriesAreListedPageByPage() throws IOException {
    client.mkdir("/many");
    for (int i = 0; i < 2500; i++) client.mkdir("/many/d" + i);
    assertThat(list("/many")).hasSize(2500).isSorted();
  }

  @Test
  void pairs() throws IOException {
    Pairs pairs = client.pairs();
    byte[] large = bytes(9_000_000, 5);
    pairs.put("one", new byte[] {1});
    pairs.put("empty", new byte[0]);
    pairs.put("large", new ByteArrayInputStream(large));
    assertThat(pairs.get("one")).containsExactly(1);
    assertThat(pairs.get("empty")).isEmpty();
    assertThat(pairs.get("large")).isEqualTo(large);
    assertThat(pairs.get("none")).isNull();
    try (InputStream in = pairs.open("large")) {
      assertThat(in.readAllBytes()).isEqualTo(large);
    }
    assertThat(pairs.open("none")).isNull();
    pairs.put("one", new byte[] {2, 3});
    assertThat(pairs.get("one")).containsExactly(2, 3);
    List<String> keys = new ArrayList<>();
    pairs.list("").forEachRemaining(entry -> keys.add(entry.key()));
    assertThat(keys).containsExactly("empty", "large", "one");
    assertThat(pairs.delete("one")).isTrue();
    assertThat(pairs.delete("one")).isFalse();
  }

  @Test
  void aValueOfAnyLengthIsReadInLittleMemory() throws IOException {
    ForebayOptions narrow = ForebayOptions.defaults().withPieceBytes(1000).withWindows(1000, 1000);
    byte[] value = bytes(5_000_000, 6);
    try (Forebay small = Forebay.connect(server.uri(), narrow)) {
      small.pairs().put("key", new ByteArrayInputStream(value));
      try (ValueStream in = small.pairs().open("key")) {
        assertThat(in.sizeBytes()).isEqualTo(value.length);
        assertThat(in.readAllBytes()).isEqualTo(value);
      }
    }
  }

  @Test
  void aValueThatIsReplacedWhileItIsReadIsNeverMixed() throws IOException {
    ForebayOptions cut = ForebayOptions.defaults().withPieceBytes(1000);
    byte[] old = bytes(5_000_000, 7);
    try (Forebay writer = Forebay.connect(server.uri(), cut)) {
      writer.pairs().put("key", old);
      try (ValueStream in = writer.pairs().open("key")) {
        byte[] head = in.readNBytes(100_000);
        writer.pairs().put("key", bytes(5_000_000, 8));
        byte[] rest = new byte[old.length];
        // More records than one answer names, so that the end has to be looked up by then.
        assertThatThrownBy(() -> in.readNBytes(rest, 0, rest.length))
            .isInstanceOfSatisfying(
                ValueReplacedException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_HANDLE))
            .hasMessageContaining("'key' was replaced or removed while it was read");
        assertThat(head).isEqualTo(java.util.Arrays.copyOf(old, head.length));
        int from = head.length;
        int count = 1_000_000;
        assertThat(java.util.Arrays.copyOf(rest, count))
            .isEqualTo(java.util.Arrays.copyOfRange(old, from, from + count));
      }
    }
  }

  @Test
  void aValueThatIsTooLongIsRefusedEarly() throws IOException {
    ForebayOptions narrow = ForebayOptions.defaults().withPieceBytes(1);
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 1;
          }
        };
    try (Forebay small = Forebay.connect(server.uri(), narrow)) {
      assertThatThrownBy(() -> small.pairs().put("endless", endless))
          .isInstanceOfSatisfying(
              FileRefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
      assertThat(small.pairs().get("endless")).isNull();
    }
  }

  @Test
  void tellsWhereBytesAre() throws IOException {
    try (ForebayFile file = client.open("/data", WRITE, CREATE)) {
      file.write(ByteBuffer.allocate(1_000_000), 500_000);
    }
    List<Location> found = client.locate("/data", 0, Long.MAX_VALUE / 2);
    assertThat(found.get(0).hosts()).isEmpty();
    assertThat(found.get(1).hosts()).hasSize(2);
    assertThat(found.stream().mapToLong(Location::lengthBytes).sum()).isEqualTo(1_500_000);
  }

  @Test
  void aFullInstanceSaysSoWhenItIsWritten() throws IOException {
    try (FakeServer small = new FakeServer(1, 1, 1_000_000);
        Forebay buffer = Forebay.connect(small.uri());
        ForebayFile file = buffer.open("/data", WRITE, READ, CREATE)) {
      file.write(ByteBuffer.allocate(700_000), 0);
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(700_000), 700_000))
          .isInstanceOfSatisfying(
              FileRefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE));
      file.sync();
      assertThat(file.size()).isEqualTo(700_000);
      assertThat(buffer.usage().usedBytes()).isEqualTo(700_000);
    }
  }

  @Test
  void saysWhatIsWrongWhenItCannotConnect() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    ForebayOptions options = ForebayOptions.defaults().withTimeout(Duration.ofMillis(300));
    assertThatThrownBy(() -> Forebay.connect("forebay://127.0.0.1:" + port + "/scratch", options))
        .isInstanceOf(ForebayException.class)
        .hasMessageContaining("cannot reach a manager at 127.0.0.1:" + port)
        .hasMessageContaining("connection refused")
        .hasMessageContaining("start one with 'forebay up'");
    String unknown = server.uri().replace("scratch", "other");
    assertThatThrownBy(() -> Forebay.connect(unknown))
        .isInstanceOf(ForebayException.class)
        .hasMessageContaining("there is no instance 'other' (there are: scratch)");
  }

  @Test
  void aClusterMakesInstances() throws IOException {
    try (Cluster cluster = Cluster.connect(server.uri())) {
      cluster.createInstance("second", InstanceOptions.defaults().withCopies(1));
      assertThat(cluster.instances()).hasSize(2);
      try (Forebay second = Forebay.connect(server.uri().replace("scratch", "second"))) {
        second.mkdir("/x");
        assertThat(client.list("/").hasNext()).isFalse();
      }
    }
  }

  private List<String> list(String path) throws IOException {
    List<String> names = new ArrayList<>();
    for (Iterator<DirectoryEntry> all = client.list(path); all.hasNext(); ) {
      names.add(all.next().name());
    }
    return names;
  }

  private static byte[] read(ForebayFile file, long offset, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    file.read(target, offset);
    return java.util.Arrays.copyOf(target.array(), target.position());
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
