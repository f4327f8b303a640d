// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client publishes pieces only when seats have acknowledged them (P5). */
class PublishingTest {
  private static final Identity ROOT = Identity.root();
  private static final int PIECE_BYTES = 64 << 10;

  /** Long enough for an answer, and too short for a second try. */
  private static final long MOMENT_NANOS = 5_000_000;

  private final SimulatedWorld world;
  private final List<Data.Put> unanswered = new ArrayList<>();
  private final OpenFile file;

  PublishingTest() throws IOException {
    world = SimulatedWorld.withInstance(3, 2, 0);
    ClientCore client = world.started("node");
    file =
        world.get(
            client.open(
                ROOT, root -> new Names.Open(root, "f", true, true, true, false, false, 0644)));
  }

  @BeforeEach
  void holdPuts() {
    world.ring.meddle((seat, asked) -> hold(asked));
  }

  private @Nullable Message hold(Message asked) {
    if (!(asked instanceof Data.Put put)) return null;
    unanswered.add(put);
    return FakeRing.SILENCE;
  }

  private void write(long offset, int lengthBytes) {
    file.write(file.layout().cut(ByteBuffer.allocate(lengthBytes), offset), offset, false);
  }

  private void acknowledge(int index) {
    world.ring.kept.get(index).accept(new Data.PutDone(unanswered.get(index).record()));
    world.pass(MOMENT_NANOS);
  }

  private int publishes() {
    return world.ring.publishes("scratch");
  }

  @Test
  void aSyncPublishesNothingBeforeTheLastOfItsPiecesIsAcknowledged() {
    write(0, 2 * PIECE_BYTES);
    world.runUntil(() -> unanswered.size() == 2);
    CompletableFuture<Void> synced = file.sync();
    world.pass(MOMENT_NANOS);
    assertThat(publishes()).isZero();
    acknowledge(1);
    assertThat(publishes()).isZero();
    assertThat(synced).isNotDone();
    acknowledge(0);
    assertThat(publishes()).isEqualTo(1);
    assertThat(synced).isCompleted();
  }

  @Test
  void aCloseWaitsForItsPiecesToo() {
    write(0, PIECE_BYTES);
    world.runUntil(() -> unanswered.size() == 1);
    CompletableFuture<Void> closed = file.close();
    world.pass(MOMENT_NANOS);
    assertThat(publishes()).isZero();
    assertThat(closed).isNotDone();
    acknowledge(0);
    assertThat(publishes()).isEqualTo(1);
    assertThat(closed).isCompleted();
  }

  @Test
  void aSyncDoesNotWaitForPiecesThatWereWrittenAfterIt() {
    write(0, PIECE_BYTES);
    CompletableFuture<Void> synced = file.sync();
    write(PIECE_BYTES, PIECE_BYTES);
    world.runUntil(() -> unanswered.size() == 2);
    acknowledge(0);
    assertThat(publishes()).isEqualTo(1);
    assertThat(synced).isCompleted();
  }

  @Test
  void aSyncWithoutNewPiecesIsDoneAtOnce() {
    CompletableFuture<Void> synced = file.sync();
    assertThat(synced).isCompleted();
    assertThat(publishes()).isZero();
  }
}
