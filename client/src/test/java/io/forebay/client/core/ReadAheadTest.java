// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who reads in order finds records fetched already, and sees what was published all the same. */
class ReadAheadTest {
  private static final Identity ROOT = Identity.root();
  private static final int PIECE_BYTES = 64 << 10;
  private static final int READ_BYTES = 8 << 10;
  private static final int FILE_BYTES = 12 * PIECE_BYTES;

  private SimulatedWorld world;
  private OpenFile writer;
  private OpenFile reader;
  private byte[] content;

  @BeforeEach
  void startRing() throws IOException {
    world = SimulatedWorld.withInstance(3, 2, 0);
    writer = open(world.started("writing"));
    content = ClientCoreTest.bytes(FILE_BYTES, 1);
    publish(content, 0);
    reader = open(world.started("reading"));
  }

  @Test
  void shortReadsInOrderNeedFewFetches() {
    readInOrder(0, FILE_BYTES, READ_BYTES);
    int reads = FILE_BYTES / READ_BYTES;
    assertThat(fetches()).isLessThan(reads / 4);
  }

  @Test
  void whoHasSeveralReadsUnderWayGetsThemWithoutACopy() {
    List<CompletableFuture<Integer>> underWay = new ArrayList<>();
    int reads = FILE_BYTES / READ_BYTES;
    for (int i = 0; i < reads; i++) {
      underWay.add(reader.read((long) i * READ_BYTES, ByteBuffer.allocate(READ_BYTES)));
      if (underWay.size() == 4) world.get(underWay.remove(0));
    }
    for (CompletableFuture<Integer> read : underWay) world.get(read);
    assertThat(fetches()).isEqualTo(reads);
    assertThat(read(0, READ_BYTES)).isEqualTo(Arrays.copyOf(content, READ_BYTES));
  }

  @Test
  void readsHereAndThereFetchWhatTheyNeed() {
    for (int i = 0; i < 20; i++) read((i * 7 % 12) * PIECE_BYTES + i * 100, READ_BYTES);
    assertThat(fetches()).isEqualTo(20);
  }

  @Test
  void aReaderThatStopsHasFetchedLittleForNothing() {
    readInOrder(0, 2 * READ_BYTES, READ_BYTES);
    world.pass(1_000_000_000L);
    long fetchedBytes =
        world.ring.received.stream()
            .filter(Data.Get.class::isInstance)
            .mapToLong(get -> ((Data.Get) get).lengthBytes())
            .sum();
    assertThat(fetchedBytes).isBetween(3L * READ_BYTES, 16L * READ_BYTES);
  }

  @Test
  void whatOthersPublishMeanwhileIsSeen() {
    readInOrder(0, 4 * PIECE_BYTES, READ_BYTES);
    world.pass(1_000_000_000L);
    publish(ClientCoreTest.bytes(100, 2), 4 * PIECE_BYTES + 50);
    publish(ClientCoreTest.bytes(PIECE_BYTES, 3), 6 * PIECE_BYTES);
    readInOrder(4 * PIECE_BYTES, 7 * PIECE_BYTES, READ_BYTES);
    world.get(writer.truncate(7 * PIECE_BYTES + 10));
    assertThat(read(7 * PIECE_BYTES, READ_BYTES)).hasSize(10);
    assertThat(read(7 * PIECE_BYTES + 10, READ_BYTES)).isEmpty();
  }

  @Test
  void ownWritesAreSeenAtOnce() {
    readInOrder(0, 4 * PIECE_BYTES, READ_BYTES);
    world.pass(1_000_000_000L);
    byte[] own = ClientCoreTest.bytes(3000, 4);
    CompletableFuture<Void> unused = write(reader, own, 4 * PIECE_BYTES + 1000);
    System.arraycopy(own, 0, content, 4 * PIECE_BYTES + 1000, own.length);
    readInOrder(4 * PIECE_BYTES, FILE_BYTES, READ_BYTES);
  }

  @Test
  void whatCouldNotBeFetchedAheadIsFetchedWhenItIsNeeded() {
    Random random = new Random(7);
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Get && random.nextInt(3) == 0
                ? new Replies.Failed(
                    random.nextBoolean() ? ErrorCode.GONE : ErrorCode.BUSY, "not now")
                : null);
    readInOrder(0, FILE_BYTES, READ_BYTES);
  }

  @Test
  void whoWaitsForWhatIsFetchedAheadWaitsNoLongerThanForAnythingElse() {
    readInOrder(0, 2 * READ_BYTES, READ_BYTES);
    world.ring.meddle((seat, request) -> request instanceof Data.Get ? FakeRing.SILENCE : null);
    long begun = world.timers.nanos();
    // Still here or on its way, then what nobody gives.
    for (int at = 2 * READ_BYTES; at < 2 * PIECE_BYTES; at += PIECE_BYTES) {
      CompletableFuture<Integer> read = reader.read(at, ByteBuffer.allocate(PIECE_BYTES));
      assertThat(world.failure(read).code()).isEqualTo(ErrorCode.UNAVAILABLE);
      long waited = world.timers.nanos() - begun;
      long answerNanos = ClientConfig.Times.DEFAULT.answerNanos();
      // The last attempt may have begun just before the time was over, and a slow seat has longer.
      assertThat(waited)
          .isLessThanOrEqualTo(ClientConfig.Times.DEFAULT.operationNanos() + 4 * answerNanos);
      begun = world.timers.nanos();
    }
  }

  @Test
  void handlesThatAreNotReadAnyMoreGiveMemoryBack() {
    List<OpenFile> all = new ArrayList<>();
    ClientCore client = world.started("many");
    // More of them than have room for all that they would fetch: 16 chunks for everybody.
    for (int i = 0; i < 20; i++) all.add(open(client));
    for (OpenFile each : all) {
      reader = each;
      int before = fetches();
      readInOrder(0, FILE_BYTES / 2, READ_BYTES);
      assertThat(fetches() - before).isLessThan(FILE_BYTES / 2 / READ_BYTES / 3);
    }
    for (OpenFile each : all) world.get(each.close());
  }

  @Test
  void severalReadsInOrderAtOnce() {
    List<CompletableFuture<Integer>> counts = new ArrayList<>();
    List<ByteBuffer> targets = new ArrayList<>();
    for (int at = 0; at < FILE_BYTES; at += PIECE_BYTES) {
      ByteBuffer target = ByteBuffer.allocate(PIECE_BYTES);
      targets.add(target);
      counts.add(reader.read(at, target));
      if (counts.size() % 3 == 0) world.get(counts.get(counts.size() - 2));
    }
    for (int i = 0; i < counts.size(); i++) {
      assertThat(world.get(counts.get(i))).isEqualTo(PIECE_BYTES);
      int at = i * PIECE_BYTES;
      assertThat(targets.get(i).array()).isEqualTo(slice(at, at + PIECE_BYTES));
    }
  }

  @Test
  void randomReadsInOrderSeeWhatWasWrittenBefore() {
    long seed = TestSeed.first("ReadAheadTest");
    System.out.println("ReadAheadTest: -Dforebay.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      int at = random.nextInt(content.length);
      int length = 1 + random.nextInt(40_000);
      switch (random.nextInt(6)) {
        case 0 -> publish(ClientCoreTest.bytes(Math.min(length, content.length - at), i), at);
        case 1 -> truncate(FILE_BYTES / 2 + random.nextInt(FILE_BYTES / 2));
        case 2 -> world.pass(random.nextInt(1_000_000));
        default -> readInOrder(at, at + random.nextInt(300_000), length);
      }
    }
  }

  private void truncate(int size) {
    world.get(writer.truncate(size));
    content = Arrays.copyOf(content, size);
  }

  /** Reads to the end of the range or of the file, and compares. */
  private void readInOrder(int from, int to, int step) {
    for (int at = from; at < Math.min(to, content.length); at += step) {
      byte[] expected = slice(at, Math.min(content.length, at + step));
      assertThat(Arrays.equals(read(at, step), expected)).as("bytes from %d on", at).isTrue();
    }
  }

  private byte[] slice(int from, int to) {
    return Arrays.copyOfRange(content, from, to);
  }

  private int fetches() {
    return (int) world.ring.received.stream().filter(Data.Get.class::isInstance).count();
  }

  private void publish(byte[] bytes, int offset) {
    world.get(write(writer, bytes, offset));
    world.get(writer.sync());
    System.arraycopy(bytes, 0, content, offset, bytes.length);
  }

  private static CompletableFuture<Void> write(OpenFile file, byte[] bytes, long offset) {
    return file.write(file.layout().cut(ByteBuffer.wrap(bytes), offset), offset, false)
        .acknowledged();
  }

  private OpenFile open(ClientCore client) {
    return world.get(
        client.open(
            ROOT, root -> new Names.Open(root, "data", true, true, true, false, false, 0644)));
  }

  private byte[] read(long offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    int count = world.get(reader.read(offset, target));
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }
}
