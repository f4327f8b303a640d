// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Identity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A home is cut off together with clients that read, while another client goes on to write a pair
 * of growing numbers. Whoever begins to read sees no number older than one that was written before.
 */
final class CutOffHome {
  private static final long SECOND = 1_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000L;
  private static final Identity ROOT = Identity.root();
  private static final int READERS = 3;

  private record Reading(long writtenBefore, CompletableFuture<ByteBuffer> value) {}

  private final World world;
  private final GroupId root;
  private final LoneClient writer;
  private final List<PairsCore> readers = new ArrayList<>();
  private final List<LoneClient> readerNodes = new ArrayList<>();
  private final PairsCore writes;
  private final List<Reading> readings = new ArrayList<>();
  private final SplittableRandom random;
  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);
  private long written;
  private long next = 1;
  private int checked;

  CutOffHome(long seed) {
    random = new SplittableRandom(seed);
    world = new World(WorldOptions.CALM, seed);
    root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    writer = new LoneClient(world, "client-w");
    ClientCore core = writer.start("i");
    writer.get(core.start());
    writes = writer.get(core.pairs());
    for (int i = 0; i < READERS; i++) {
      LoneClient node = new LoneClient(world, "client-r" + i);
      ClientCore reader = node.start("i");
      node.get(reader.start());
      readers.add(node.get(reader.pairs()));
      readerNodes.add(node);
    }
  }

  /** How often something was read after the cut. */
  int readsOnBothSides() {
    write();
    go(SECOND + random.nextLong(SECOND));
    RingMap map = world.map();
    String home = map.seat(map.group(root).home()).server();
    List<String> others = new ArrayList<>(List.of("manager", "client-w"));
    for (SeatNode seat : world.seats()) if (!seat.host().equals(home)) others.add(seat.host());
    for (String other : others) {
      world.network().partition(home, other, false);
      for (LoneClient reader : readerNodes) {
        // They follow the cut-off home, since they hear of no other.
        if (!other.equals("client-w")) world.network().partition(reader.host(), other, false);
      }
    }
    long before = written;
    go(12 * SECOND);
    assertThat(writing.isCompletedExceptionally()).isFalse();
    assertThat(written).as("the others went on").isGreaterThan(before);
    world.network().healAll();
    checked = 0;
    go(8 * SECOND);
    return checked;
  }

  private void go(long nanos) {
    for (long end = world.nanos() + nanos; world.nanos() < end; world.runFor(PAUSE_NANOS)) {
      for (PairsCore reader : readers) {
        readings.add(new Reading(written, reader.get(ROOT, "number", ByteBuffer::allocate)));
      }
      readings.removeIf(this::isOver);
    }
  }

  private boolean isOver(Reading reading) {
    if (!reading.value.isDone()) return false;
    if (!reading.value.isCompletedExceptionally()) {
      checked++;
      long seen = reading.value.join().getLong(0);
      assertThat(seen).isGreaterThanOrEqualTo(reading.writtenBefore);
    }
    return true;
  }

  private void write() {
    long number = next++;
    writing =
        writes
            .begin(ROOT, "number")
            .thenCompose(upload -> write(upload, number))
            .thenAccept(
                kept -> {
                  written = number;
                  writer.timers().after(PAUSE_NANOS, this::write);
                });
  }

  private static CompletableFuture<Void> write(PairUpload upload, long number) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, number);
    return upload
        .write(upload.layout().cut(bytes, 0))
        .acknowledged()
        .thenCompose(kept -> upload.finish());
  }
}
