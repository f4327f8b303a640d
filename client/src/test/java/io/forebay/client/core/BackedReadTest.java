// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.fake.SimulatedWorld;
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
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes that the buffer has let go of are read from the backing store, through the tree's home. */
class BackedReadTest {
  private static final Identity ROOT = Identity.root();
  private static final int PIECE_BYTES = 64 << 10;

  private SimulatedWorld world;
  private ClientCore client;
  private OpenFile file;

  @BeforeEach
  void startRing() throws IOException {
    world = SimulatedWorld.withInstance(3, 2, 0);
    client = world.started("node");
    file = open();
  }

  @Test
  void whatIsReleasedIsReadInPieces() {
    byte[] bytes = written(300_000);
    world.ring.release("scratch", "data");
    assertThat(read(0, 400_000)).isEqualTo(bytes);
    assertThat(asked()).hasSize(5).allMatch(get -> get.lengthBytes() <= PIECE_BYTES);
    assertThat(read(100, 70_000)).isEqualTo(Arrays.copyOfRange(bytes, 100, 70_100));
  }

  @Test
  void whatIsWrittenSinceLiesOverIt() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    byte[] published = ClientCoreTest.bytes(1000, 2);
    write(published, 70_000);
    world.get(file.sync());
    byte[] own = ClientCoreTest.bytes(500, 3);
    write(own, 500);
    System.arraycopy(published, 0, bytes, 70_000, published.length);
    System.arraycopy(own, 0, bytes, 500, own.length);
    assertThat(read(0, 200_000)).isEqualTo(bytes);
  }

  @Test
  void behindWhatTheStoreHasThereAreZeros() {
    byte[] bytes = written(1000);
    world.ring.release("scratch", "data");
    world.get(file.truncate(700));
    world.get(file.truncate(2000));
    assertThat(read(0, 3000)).isEqualTo(Arrays.copyOf(Arrays.copyOf(bytes, 700), 2000));
  }

  @Test
  void aHoleIsMadeOfWhatTheStoreHas() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    write(ClientCoreTest.bytes(50_000, 2), 200_000);
    bytes = Arrays.copyOf(bytes, 250_000);
    System.arraycopy(ClientCoreTest.bytes(50_000, 2), 0, bytes, 200_000, 50_000);
    world.get(file.punch(150_000, 70_000));
    Arrays.fill(bytes, 150_000, 220_000, (byte) 0);
    assertThat(read(0, 300_000)).isEqualTo(bytes);
    assertThat(world.get(file.holes().hole(0))).isEqualTo(200_000);
    assertThat(world.get(file.holes().data(200_000))).isEqualTo(220_000);
    assertThat(world.get(file.holes().hole(220_000))).isEqualTo(250_000);
  }

  @Test
  void aHomeThatMovesIsFollowedAndOneThatIsBusyAskedAgain() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    int[] left = {6};
    world.ring.meddle(
        (seat, request) -> {
          if (!(request instanceof Data.GetBacked) || left[0]-- <= 0) return null;
          if (left[0] == 3) world.ring.rotate();
          return new Replies.Failed(
              left[0] % 2 == 0 ? ErrorCode.BUSY : ErrorCode.UNAVAILABLE, "not now");
        });
    assertThat(read(0, 200_000)).isEqualTo(bytes);
    assertThat(asked()).extracting(Data.GetBacked::epoch).contains(1L, 2L);
  }

  @Test
  void aHomeThatDiesIsFollowed() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    int[] left = {1};
    world.ring.meddle(
        (seat, request) -> {
          if (request instanceof Data.GetBacked && left[0]-- > 0) {
            world.network.kill("host1");
            world.ring.removeHome(new SeatId(1));
          }
          return null;
        });
    assertThat(read(0, 200_000)).isEqualTo(bytes);
  }

  @Test
  void damageOnTheWayIsNoticed() {
    byte[] bytes = written(100_000);
    world.ring.release("scratch", "data");
    world.ring.damageOnTheWay(3);
    assertThat(read(0, 100_000)).isEqualTo(bytes);
    assertThat(asked()).hasSize(2 + 3);
  }

  @Test
  void aFileThatIsCutMeanwhileIsLookedUpAgain() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    ClientCore other = world.started("other");
    OpenFile elsewhere =
        world.get(
            other.open(
                ROOT, root -> new Names.Open(root, "data", true, true, false, false, false, 0)));
    List<CompletableFuture<Void>> cuts = new ArrayList<>();
    world.ring.meddle(
        (seat, request) -> {
          if (!(request instanceof Data.GetBacked)) return null;
          if (cuts.isEmpty()) cuts.add(elsewhere.truncate(150_000));
          return world.ring.received.stream().filter(BackedReadTest::isCut).findAny().isPresent()
              ? null
              : new Replies.Failed(ErrorCode.BUSY, "not now");
        });
    assertThat(read(0, 200_000)).isEqualTo(Arrays.copyOf(bytes, 150_000));
  }

  private static boolean isCut(Object message) {
    return message instanceof Names.Request asked && asked.what() instanceof Names.SetAttributes;
  }

  @Test
  void aCopyThatGetsAnotherNameMeanwhileIsLookedUpAgain() {
    byte[] bytes = written(200_000);
    world.ring.release("scratch", "data");
    int[] left = {5};
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.GetBacked && left[0]-- > 0
                ? new Replies.Failed(ErrorCode.STALE_HANDLE, "the store has no file 'data'")
                : null);
    assertThat(read(0, 200_000)).isEqualTo(bytes);
  }

  @Test
  void whatTheStoreCannotGiveIsNamed() {
    written(200_000);
    world.ring.release("scratch", "data");
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.GetBacked get && get.offset() == PIECE_BYTES
                ? new Replies.Failed(ErrorCode.STALE_HANDLE, "the store has no file 'data'")
                : null);
    RequestFailed failure = world.failure(file.read(0, ByteBuffer.allocate(200_000)));
    assertThat(failure.code()).isEqualTo(ErrorCode.GONE);
    assertThat(failure)
        .hasMessageContaining("bytes 65536 to 131071 cannot be read")
        .hasMessageContaining("the store has no file 'data'");
  }

  @Test
  void aStoreThatIsAwayForTooLongIsGivenUp() {
    written(1000);
    world.ring.release("scratch", "data");
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.GetBacked
                ? new Replies.Failed(ErrorCode.UNAVAILABLE, "the store does not answer")
                : null);
    assertThat(world.failure(file.read(0, ByteBuffer.allocate(1000))))
        .hasMessageContaining("bytes 0 to 999 cannot be read")
        .hasMessageContaining("the store does not answer")
        .hasMessageContaining("given up after 30.0 s");
  }

  private byte[] written(int length) {
    byte[] bytes = ClientCoreTest.bytes(length, 1);
    write(bytes, 0);
    world.get(file.sync());
    return bytes;
  }

  private void write(byte[] bytes, long offset) {
    world.get(
        file.write(file.layout().cut(ByteBuffer.wrap(bytes), offset), offset, false)
            .acknowledged());
  }

  private OpenFile open() {
    return world.get(
        client.open(
            ROOT, root -> new Names.Open(root, "data", true, true, true, false, false, 0644)));
  }

  private byte[] read(long offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    int count = world.get(file.read(offset, target));
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private List<Data.GetBacked> asked() {
    List<Data.GetBacked> asked = new ArrayList<>();
    for (Object each : world.ring.received) {
      if (each instanceof Data.GetBacked get) asked.add(get);
    }
    return asked;
  }
}
