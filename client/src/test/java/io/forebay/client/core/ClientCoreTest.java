// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientCoreTest {
  private static final Identity ROOT = Identity.root();

  private SimulatedWorld world;

  @BeforeEach
  void startRing() throws IOException {
    world = SimulatedWorld.withInstance(3, 2, 0);
  }

  @Test
  void whatIsWrittenIsReadBackBeforeAndAfterItIsPublished() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    byte[] bytes = bytes(300_000, 1);
    WriteCall call = write(file, bytes, 1000);
    assertThat(read(file, 0, 400_000)).isEqualTo(behindZeros(bytes, 1000));
    world.get(call.acknowledged());
    assertThat(read(file, 0, 400_000)).isEqualTo(behindZeros(bytes, 1000));
    world.get(file.sync());
    assertThat(world.ring.publishes("scratch")).isEqualTo(1);
    assertThat(read(file, 0, 400_000)).isEqualTo(behindZeros(bytes, 1000));
    assertThat(world.get(file.attributes()).sizeBytes()).isEqualTo(301_000);
  }

  @Test
  void othersSeeWhatIsPublishedAndNothingBefore() {
    ClientCore writer = world.started("node-a");
    ClientCore reader = world.started("node-b");
    OpenFile out = create(writer, "data");
    byte[] bytes = bytes(100_000, 2);
    world.get(write(out, bytes, 0).acknowledged());
    OpenFile in = open(reader, "data");
    assertThat(read(in, 0, 10)).isEmpty();
    world.get(out.close());
    assertThat(read(in, 0, 200_000)).isEqualTo(bytes);
    assertThat(world.get(reader.lookUp(ROOT, "data", true)).sizeBytes()).isEqualTo(100_000);
  }

  @Test
  void closingReleasesTheFileWithTheLastHandleOnly() {
    ClientCore client = world.started("node");
    OpenFile first = create(client, "data");
    OpenFile second = open(client, "data");
    world.get(write(first, bytes(10, 3), 0).acknowledged());
    world.get(first.close());
    assertThat(world.ring.isOpen("scratch", second.number())).isTrue();
    world.get(second.close());
    assertThat(world.ring.isOpen("scratch", second.number())).isFalse();
  }

  @Test
  void aFileOpenedWhileItIsBeingReleasedStaysOpen() {
    ClientCore client = world.started("node");
    OpenFile first = create(client, "data");
    CompletableFuture<OpenFile> again =
        client.open(ROOT, root -> new Names.Open(root, "data", true, true, false, false, false, 0));
    CompletableFuture<Void> closed = first.close();
    OpenFile second = world.get(again);
    world.get(closed);
    world.pass(1_000_000_000L);
    assertThat(world.ring.isOpen("scratch", second.number())).isTrue();
  }

  @Test
  void appendsOfTwoClientsDoNotOverlap() {
    ClientCore a = world.started("node-a");
    ClientCore b = world.started("node-b");
    OpenFile fileA = create(a, "log");
    OpenFile fileB = open(b, "log");
    byte[] first = bytes(1000, 4);
    byte[] second = bytes(2000, 5);
    fileA.append(fileA.layout().cut(ByteBuffer.wrap(first), 0), false);
    fileB.append(fileB.layout().cut(ByteBuffer.wrap(second), 0), false);
    assertThat(read(fileB, 0, 5000)).isEqualTo(second);
    world.get(fileA.sync());
    assertThat(read(fileB, 0, 5000)).isEqualTo(joined(first, second));
    world.get(fileB.sync());
    assertThat(read(fileA, 0, 5000)).isEqualTo(joined(first, second));
  }

  @Test
  void truncatingCutsWhatWasWrittenBefore() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    byte[] bytes = bytes(1000, 6);
    write(file, bytes, 0);
    world.get(file.truncate(100));
    assertThat(read(file, 0, 1000)).isEqualTo(java.util.Arrays.copyOf(bytes, 100));
    write(file, bytes, 0);
    world.get(
        client.open(ROOT, root -> new Names.Open(root, "data", true, true, false, false, true, 0)));
    world.get(file.sync());
    assertThat(read(file, 0, 1000)).isEmpty();
  }

  @Test
  void pairsOfAllSizes() {
    ClientCore client = world.started("node");
    PairsCore pairs = world.get(client.pairs());
    List<Integer> sizes = List.of(0, 1, 65_536, 1_000_000);
    for (int size : sizes) put(pairs, "key" + size, bytes(size, size));
    for (int size : sizes) {
      ByteBuffer value = world.get(pairs.get(ROOT, "key" + size, n -> ByteBuffer.allocate(n)));
      assertThat(value.array()).isEqualTo(bytes(size, size));
    }
    assertThat(world.get(pairs.list(ROOT, "key", "", 2)).pairs())
        .extracting(Names.NamedPair::key)
        .containsExactly("key0", "key1");
    world.get(pairs.delete(ROOT, "key0"));
    assertThat(world.failure(pairs.find(ROOT, "key0")).code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void aWriteGoesElsewhereWhenItsHomeIsGone() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.ring.close(new SeatId(2));
    world.network.kill("host2");
    byte[] bytes = bytes(900_000, 7);
    world.get(write(file, bytes, 0).acknowledged());
    world.get(file.sync());
    assertThat(puts()).anyMatch(put -> put.record().sequence() % 256 > 0);
    assertThat(read(file, 0, 900_000)).isEqualTo(bytes);
  }

  @Test
  void aReadAsksAnotherMemberWhenTheHomeIsGone() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    byte[] bytes = bytes(900_000, 8);
    write(file, bytes, 0);
    world.get(file.sync());
    world.network.kill("host3");
    assertThat(read(file, 0, 900_000)).isEqualTo(bytes);
  }

  @Test
  void aHomeThatMovesIsFollowedAndChangesAreDoneOnce() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    int before = world.ring.changesDone("scratch");
    // The home takes the change and dies before it answers.
    boolean[] died = {false};
    world.ring.meddle(
        (seat, request) -> {
          if (seat.number() == 1 && request instanceof Names.Request asked) {
            if (asked.what() instanceof Names.MakeDirectory) {
              died[0] = true;
              return FakeRing.SILENCE;
            }
          }
          return null;
        });
    CompletableFuture<Names.NodeIs> made =
        client.change(
            ROOT, root -> new Names.MakeDirectory(root, "directory", 0755), Names.NodeIs.class);
    world.runUntil(() -> died[0]);
    world.network.kill("host1");
    world.ring.removeHome(new SeatId(1));
    world.get(made);
    // The directory is made once. The new home was told, too, that the file is open.
    assertThat(world.ring.changesDone("scratch")).isEqualTo(before + 2);
    byte[] bytes = bytes(5000, 9);
    write(file, bytes, 0);
    world.get(file.close());
    assertThat(read(open(client, "data"), 0, 5000)).isEqualTo(bytes);
  }

  @Test
  void refusalsThatPassAreWaitedFor() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    int[] left = {20};
    world.ring.meddle(
        (seat, request) -> {
          if (left[0]-- <= 0) return null;
          return new Replies.Failed(
              left[0] % 2 == 0 ? ErrorCode.BUSY : ErrorCode.UNAVAILABLE, "not now");
        });
    byte[] bytes = bytes(200_000, 10);
    write(file, bytes, 0);
    world.get(file.sync());
    world.ring.meddle((seat, request) -> null);
    assertThat(read(file, 0, 300_000)).isEqualTo(bytes);
  }

  @Test
  void damageOnTheWayIsNoticedAndSentAgain() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    int[] left = {2};
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Put && left[0]-- > 0
                ? new Replies.Failed(ErrorCode.CORRUPT, "damaged")
                : null);
    byte[] bytes = bytes(1000, 11);
    world.get(write(file, bytes, 0).acknowledged());
    assertThat(puts()).hasSize(3);
    assertThat(puts()).extracting(Data.Put::record).containsOnly(puts().get(0).record());
  }

  @Test
  void aWriteThatCannotBeKeptMakesSyncFailForGood() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Put ? new Replies.Failed(ErrorCode.BUSY, "full") : null);
    WriteCall call = write(file, bytes(1000, 12), 0);
    assertThat(world.failure(call.acknowledged()))
        .hasMessageContaining("full")
        .hasMessageContaining("given up after 30.0 s");
    world.ring.meddle((seat, request) -> null);
    assertThat(world.failure(file.sync()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(world.failure(file.close()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(world.ring.isOpen("scratch", file.number())).isFalse();
    assertThat(world.ring.publishes("scratch")).isZero();
  }

  @Test
  void aFailedCloseTellsTheHomeWhatIsGivenUp() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.get(write(file, bytes(1000, 12), 0).acknowledged());
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Put ? new Replies.Failed(ErrorCode.NO_SPACE, "full") : null);
    world.failure(write(file, bytes(1000, 13), 1000).acknowledged());
    world.failure(file.close());
    Names.Request release =
        world.ring.received.stream()
            .filter(Names.Request.class::isInstance)
            .map(Names.Request.class::cast)
            .filter(request -> request.what() instanceof Names.Release)
            .findFirst()
            .orElseThrow();
    assertThat(release.settledBelow()).as("both pieces may go").isEqualTo(3);
  }

  @Test
  void aRingThatStaysFullIsSaidToBeFull() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Put
                ? new Replies.Failed(ErrorCode.NO_SPACE, "the seat's memory is full")
                : null);
    RequestFailed failure = world.failure(write(file, bytes(1000, 12), 0).acknowledged());
    assertThat(failure.code()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(failure)
        .hasMessageContaining("the ring is full: delete files")
        .hasMessageContaining("says: the seat's memory is full; given up after 30.0 s");
  }

  @Test
  void aFileThatIsLargerThanTheInstanceIsSaidToBe() throws IOException {
    world = SimulatedWorld.withInstance(1, 1, 1 << 20);
    OpenFile file = create(world.started("node"), "data");
    RequestFailed failure = world.failure(write(file, bytes(2 << 20, 12), 0).acknowledged());
    assertThat(failure.code()).isEqualTo(ErrorCode.NO_SPACE);
    assertThat(failure)
        .hasMessageContaining("the file is larger than the instance, which holds 1 MiB");
  }

  @Test
  void aReasonThatComesAfterThePieceWentElsewhereIsToldInTheEnd() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.ring.meddle((seat, request) -> request instanceof Data.Put ? FakeRing.SILENCE : null);
    WriteCall call = write(file, bytes(1000, 12), 0);
    world.runUntil(() -> world.ring.kept.size() == 2);
    world.ring.kept.get(0).accept(new Replies.Failed(ErrorCode.BUSY, "full"));
    assertThat(world.failure(call.acknowledged()))
        .hasMessageContaining("says: full")
        .hasMessageContaining("given up after 30.0 s");
  }

  @Test
  void aSessionIsKeptAliveAndEnded() {
    ClientCore client = world.started("node");
    world.pass(100_000_000_000L);
    assertThat(world.ring.received).filteredOn(this::isKeepAlive).hasSizeGreaterThan(3);
    assertThat(world.ring.sessions("scratch")).isEqualTo(1);
    world.get(client.close());
    assertThat(world.ring.sessions("scratch")).isZero();
  }

  @Test
  void afterALostSessionOldHandlesFailAndNewOnesWork() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    world.ring.expireSessions("scratch");
    write(file, bytes(10, 13), 0);
    assertThat(world.failure(file.sync()).code()).isEqualTo(ErrorCode.SESSION_ENDED);
    OpenFile again = open(client, "data");
    write(again, bytes(10, 13), 0);
    world.get(again.sync());
    assertThat(read(again, 0, 10)).isEqualTo(bytes(10, 13));
  }

  @Test
  void aWriteThatIsRefusedForItsSessionTellsThatItHasEnded() {
    ClientCore client = world.started("node");
    OpenFile file = create(client, "data");
    int[] refusals = {1};
    world.ring.meddle(
        (seat, request) ->
            request instanceof Data.Put && refusals[0]-- > 0
                ? new Replies.Failed(ErrorCode.SESSION_ENDED, "it has ended")
                : null);
    write(file, bytes(10, 13), 0);
    RequestFailed failure = world.failure(file.sync());
    assertThat(failure.code()).isEqualTo(ErrorCode.SESSION_ENDED);
    assertThat(failure).hasMessageContaining("open the file again");
    OpenFile again = open(client, "data");
    write(again, bytes(10, 14), 0);
    world.get(again.sync());
    assertThat(read(again, 0, 10)).isEqualTo(bytes(10, 14));
  }

  private boolean isKeepAlive(Object message) {
    return message instanceof Names.Request asked && asked.what() instanceof Names.KeepAlive;
  }

  private List<Data.Put> puts() {
    List<Data.Put> puts = new ArrayList<>();
    for (Object each : world.ring.received) if (each instanceof Data.Put put) puts.add(put);
    return puts;
  }

  private OpenFile create(ClientCore client, String path) {
    return world.get(
        client.open(ROOT, root -> new Names.Open(root, path, true, true, true, true, false, 0644)));
  }

  private OpenFile open(ClientCore client, String path) {
    return world.get(
        client.open(ROOT, root -> new Names.Open(root, path, true, true, false, false, false, 0)));
  }

  private static WriteCall write(OpenFile file, byte[] bytes, long offset) {
    return file.write(file.layout().cut(ByteBuffer.wrap(bytes), offset), offset, false);
  }

  private byte[] read(OpenFile file, long offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    int count = world.get(file.read(offset, target));
    return java.util.Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private void put(PairsCore pairs, String key, byte[] value) {
    PairUpload upload = world.get(pairs.begin(ROOT, key));
    upload.write(upload.layout().cut(ByteBuffer.wrap(value), 0));
    world.get(upload.finish());
  }

  static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] behindZeros(byte[] bytes, int zeros) {
    byte[] all = new byte[zeros + bytes.length];
    System.arraycopy(bytes, 0, all, zeros, bytes.length);
    return all;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
