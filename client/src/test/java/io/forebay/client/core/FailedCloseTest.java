// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.fake.FakeRing;
import io.forebay.client.fake.SimulatedWorld;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failed close of the last handle ends the failure: what is opened after it begins anew. */
class FailedCloseTest {
  private static final Identity ROOT = Identity.root();
  private static final int BYTES = 1000;
  private static final int PIECE_BYTES = 64 << 10;
  private static final long SETTLE_NANOS = 10_000_000;
  private static final ErrorCode PUT_FAILS_WITH = ErrorCode.INVALID;

  private final List<Message> releases = new ArrayList<>();
  private SimulatedWorld world;
  private ClientCore client;

  private enum Puts {
    KEPT,
    REFUSED,
    UNANSWERED
  }

  private Puts puts = Puts.KEPT;
  private boolean releasesWait;

  @BeforeEach
  void start() throws IOException {
    world = SimulatedWorld.withInstance(1, 1, 0);
    client = world.started("node");
    world.ring.meddle((seat, asked) -> meddled(asked));
  }

  private Message meddled(Message asked) {
    if (asked instanceof Data.Put) {
      return switch (puts) {
        case KEPT -> null;
        case REFUSED -> new Replies.Failed(PUT_FAILS_WITH, "refused");
        case UNANSWERED -> FakeRing.SILENCE;
      };
    }
    boolean release =
        asked instanceof Names.Request request
            && request.what() instanceof Names.Release what
            && !what.whole();
    if (!release) return null;
    releases.add(asked);
    return releasesWait ? FakeRing.SILENCE : null;
  }

  @Test
  void aFileOpenedBeforeTheReleaseIsAnsweredIsAsPublished() {
    OpenFile first = withOneKeptAndOneLostWrite();
    releasesWait = true;
    CompletableFuture<Void> closed = first.close();
    world.runUntil(() -> !releases.isEmpty());

    OpenFile second = open();
    assertThat(world.get(second.attributes()).sizeBytes()).isZero();
    assertThat(world.get(second.read(0, ByteBuffer.allocate(BYTES)))).isEqualTo(-1);

    world.get(write(second, 2, 3).acknowledged());
    releasesWait = false;
    world.get(second.close());
    assertThat(world.failure(closed).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(content()).containsExactly(0, 0, 3);
  }

  @Test
  void aFileOpenedBeforeTheCloseFailsIsAsPublishedThen() {
    OpenFile first = open();
    world.get(write(first, 0, 1).acknowledged());
    puts = Puts.UNANSWERED;
    WriteCall pending = write(first, 1, 2);
    world.runUntil(() -> !world.ring.kept.isEmpty());
    CompletableFuture<Void> closed = first.close();

    OpenFile second = open();
    assertThat(world.get(second.attributes()).sizeBytes()).isEqualTo(2);
    puts = Puts.KEPT;
    WriteCall later = write(second, 2, 3);
    world.ring.kept.forEach(each -> each.accept(new Replies.Failed(PUT_FAILS_WITH, "refused")));
    assertThat(world.failure(pending.acknowledged()).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(world.failure(closed).code()).isEqualTo(PUT_FAILS_WITH);

    world.get(later.acknowledged());
    world.get(second.close());
    assertThat(content()).containsExactly(0, 0, 3);
  }

  /** The window is full of pieces of the first handle, one of which fails before the others. */
  @Test
  void writesOfTheNextHandleDoNotFailWithTheReasonOfTheFirst() {
    OpenFile first = open();
    puts = Puts.UNANSWERED;
    int window = 1 << 20;
    WriteCall pending = first.write(first.layout().cut(ByteBuffer.allocate(window), 0), 0, false);
    world.runUntil(() -> world.ring.kept.size() == window / PIECE_BYTES);
    CompletableFuture<Void> closed = first.close();
    OpenFile second = open();
    WriteCall later = write(second, 2, 3);
    puts = Puts.KEPT;
    for (Consumer<Message> each : world.ring.kept) {
      each.accept(new Replies.Failed(PUT_FAILS_WITH, "refused"));
      world.pass(SETTLE_NANOS);
    }
    assertThat(world.failure(pending.acknowledged()).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(world.failure(closed).code()).isEqualTo(PUT_FAILS_WITH);
    world.get(later.acknowledged());
    world.get(second.close());
    assertThat(content()).containsExactly(0, 0, 3);
  }

  @Test
  void aLostWriteOfAnOpenHandleStillFailsItsClose() {
    OpenFile first = withOneKeptAndOneLostWrite();
    OpenFile second = open();
    assertThat(world.failure(first.close()).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(world.get(second.attributes()).sizeBytes()).isEqualTo(1);
    assertThat(world.failure(second.close()).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(content()).isEmpty();
  }

  /** Bytes that could not be appended are not counted before those of the next handle. */
  @Test
  void appendedBytesBeginAnewToo() {
    OpenFile first = open();
    world.get(append(first, 1).acknowledged());
    puts = Puts.REFUSED;
    assertThat(world.failure(append(first, 2).acknowledged()).code()).isEqualTo(PUT_FAILS_WITH);
    puts = Puts.KEPT;
    releasesWait = true;
    CompletableFuture<Void> closed = first.close();
    world.runUntil(() -> !releases.isEmpty());

    OpenFile second = open();
    world.get(append(second, 3).acknowledged());
    assertThat(world.get(second.attributes()).sizeBytes()).isEqualTo(1);
    releasesWait = false;
    world.get(second.close());
    assertThat(world.failure(closed).code()).isEqualTo(PUT_FAILS_WITH);
    assertThat(content()).containsExactly(3);
  }

  private OpenFile withOneKeptAndOneLostWrite() {
    OpenFile file = open();
    world.get(write(file, 0, 1).acknowledged());
    puts = Puts.REFUSED;
    assertThat(world.failure(write(file, 1, 2).acknowledged()).code()).isEqualTo(PUT_FAILS_WITH);
    puts = Puts.KEPT;
    return file;
  }

  private OpenFile open() {
    return world.get(
        client.open(
            ROOT, root -> new Names.Open(root, "data", true, true, true, false, false, 0644)));
  }

  private static WriteCall write(OpenFile file, long offset, int value) {
    return file.write(file.layout().cut(bytes(value), offset), offset, false);
  }

  private static WriteCall append(OpenFile file, int value) {
    return file.append(file.layout().cut(bytes(value), 0), false);
  }

  private static ByteBuffer bytes(int value) {
    return ByteBuffer.wrap(new byte[] {(byte) value});
  }

  private byte[] content() {
    OpenFile file = open();
    ByteBuffer target = ByteBuffer.allocate(BYTES);
    int count = Math.max(0, world.get(file.read(0, target)));
    byte[] read = new byte[count];
    target.get(0, read);
    return read;
  }
}
