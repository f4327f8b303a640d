// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seats that are short of room send clients to others, and let them wait when nobody has any. */
class OverloadTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SEGMENT_BYTES = 512 * 1024;
  private static final int WRITE_BYTES = 128 * 1024;
  private static final Identity ROOT = Identity.root();

  /** Memory only: what a seat cannot keep must go elsewhere, or wait. */
  private static WorldOptions tiny(int seats, int copies) {
    return WorldOptions.CALM
        .withSeats(seats, copies)
        .withStore(StoreConfig.memory(SEGMENT_BYTES, 14L * SEGMENT_BYTES));
  }

  private static OpenFile open(LoneClient client, ClientCore core, String name) {
    return client.get(
        core.open(ROOT, root -> new Names.Open(root, name, true, true, true, false, false, 0644)));
  }

  private static WriteCall write(OpenFile file, byte[] bytes, int at) {
    ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(WRITE_BYTES, bytes.length - at));
    return file.write(file.layout().cut(part, at), at, false);
  }

  private static Statuses.SeatStatus status(RawClient raw, SeatNode seat) {
    return (Statuses.SeatStatus) raw.call(seat.host(), Lane.CONTROL, new Statuses.GetStatus());
  }

  @Test
  void theOnlyClientOfASmallSeatFillsTheWholeRing() {
    // Seats hold 4.5 MiB each; isolated placement puts all of it onto one of them.
    assertThat(Arrays.stream(putPerSeat(tiny(4, 1), 12 << 20)).min().orElseThrow())
        .isGreaterThan(1 << 20);
  }

  @Test
  void aRingOfTwoCopiesToo() {
    long[] puts = putPerSeat(tiny(5, 2), 8 << 20);
    assertThat(Arrays.stream(puts).filter(bytes -> bytes > 1 << 20).count())
        .isGreaterThanOrEqualTo(2);
  }

  /** Writes through a client that is alone, reads back, and says what each seat took as home. */
  private static long[] putPerSeat(WorldOptions options, int length) {
    World world = new World(options, 5);
    RawClient raw =
        RawClient.withInstance(world, options.copies(), false, "shared", "continue", "isolated");
    LoneClient client = new LoneClient(world, "client");
    ClientCore core = client.start("i");
    client.get(core.start());
    byte[] bytes = new byte[length];
    new Random(7).nextBytes(bytes);
    OpenFile file = open(client, core, "burst");
    for (int at = 0; at < length; at += WRITE_BYTES) {
      client.get(write(file, bytes, at).acknowledged());
      world.runFor(40_000_000);
    }
    client.get(file.sync());
    ByteBuffer back = ByteBuffer.allocate(length);
    assertThat(client.get(file.read(0, back))).isEqualTo(length);
    assertThat(back.array()).isEqualTo(bytes);
    long redirected = 0;
    long[] puts = new long[options.seats()];
    for (int i = 0; i < puts.length; i++) {
      Statuses.SeatStatus status = status(raw, world.seats().get(i));
      puts[i] = status.counters().putBytes();
      redirected += status.counters().redirected();
    }
    // A seat is asked again now and then, by one piece at a time.
    assertThat(redirected).isBetween(1L, length / LoneClient.SMALL.pieceBytes() / 5L);
    return puts;
  }

  @Test
  void whenAllAreFullWritersWaitWithAReasonAndGoOnWhenThereIsRoom() {
    World world = new World(tiny(3, 1), 6);
    RawClient raw = RawClient.withInstance(world, 1, false);
    LoneClient client = new LoneClient(world, "client");
    ClientCore core = client.start("i");
    client.get(core.start());
    byte[] bytes = new byte[1 << 20];
    List<String> names = new ArrayList<>();
    CompletableFuture<Void> last;
    do {
      names.add("f" + names.size());
      OpenFile file = open(client, core, names.getLast());
      for (int at = 0; at < bytes.length; at += WRITE_BYTES) write(file, bytes, at);
      last = file.close();
    } while (world.runUntil(last::isDone, 8 * SECOND) && names.size() < 100);
    assertThat(names.size()).as("the ring is full").isBetween(3, 99);
    assertThat(last).as("it waits").isNotDone();
    assertThat(client.warnings)
        .anyMatch(each -> each.contains("is full of data") && each.contains("on server seat-"));
    assertThat(world.seats())
        .anyMatch(seat -> status(raw, seat).state().equals("full: waiting for room"))
        .anyMatch(seat -> status(raw, seat).pressure().contains("full"));
    for (String name : names.subList(0, 2)) {
      client.get(core.change(ROOT, root -> new Names.Unlink(root, name), Replies.Done.class));
    }
    client.get(last);
    assertThat(world.runUntil(() -> allOk(raw, world), 30 * SECOND)).isTrue();
  }

  @Test
  void whenNoRoomComesWritersAreToldSoonAndWhatTheyWroteIsFreed() {
    World world = new World(tiny(3, 2), 8);
    RawClient.withInstance(world, 2, false);
    LoneClient client = new LoneClient(world, "client");
    ClientCore core = client.start("i");
    client.get(core.start());
    byte[] bytes = new byte[16 << 20];
    OpenFile file = open(client, core, "larger than the ring");
    for (int at = 0; at < bytes.length; at += WRITE_BYTES) write(file, bytes, at);
    CompletableFuture<Void> closed = file.close();
    long patienceNanos = ClientConfig.Times.DEFAULT.operationNanos();
    assertThat(world.runUntil(closed::isDone, patienceNanos * 3 / 2)).as("told").isTrue();
    assertThat(closed.handle((done, failure) -> RequestFailed.from(failure).code()))
        .isCompletedWithValue(ErrorCode.NO_SPACE);
    OpenFile small = open(client, core, "small");
    write(small, new byte[WRITE_BYTES], 0);
    client.get(small.close());
  }

  /** The writer may have made the file, or not. Nothing else is changed after the close. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theRoomOfAFailedWriteComesBackByItself(boolean made) {
    World world = new World(tiny(3, 2), 9);
    RawClient raw = RawClient.withInstance(world, 2, false);
    LoneClient maker = new LoneClient(world, "maker");
    LoneClient client = new LoneClient(world, "client");
    ClientCore core = started(client);
    if (!made) maker.get(open(maker, started(maker), "large").close());
    OpenFile file = open(client, core, "large");
    byte[] bytes = new byte[16 << 20];
    for (int at = 0; at < bytes.length; at += WRITE_BYTES) write(file, bytes, at);
    CompletableFuture<Void> closed = file.close();
    assertThat(world.runUntil(closed::isDone, 60 * SECOND)).isTrue();
    assertThat(closed).isCompletedExceptionally();
    assertThat(world.runUntil(() -> records(raw, world) == 0, 20 * SECOND)).isTrue();
  }

  private static ClientCore started(LoneClient client) {
    ClientCore core = client.start("i");
    client.get(core.start());
    return core;
  }

  private static long records(RawClient raw, World world) {
    world.runFor(SECOND);
    return world.seats().stream().mapToLong(seat -> status(raw, seat).records()).sum();
  }

  private static boolean allOk(RawClient raw, World world) {
    world.runFor(SECOND);
    return world.seats().stream().allMatch(seat -> status(raw, seat).pressure().isEmpty());
  }
}
