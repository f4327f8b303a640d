// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.fake.SimulatedWorld;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** More whole files are put at once than changes are sent at once: some wait for their turn. */
class FilePutsTest {
  private static final Identity ROOT = Identity.root();
  private static final long SECOND = 1_000_000_000L;

  /** Enough that, four changes at a time, some files have their turn third. */
  private static final int FILES = 300;

  private final SimulatedWorld world = SimulatedWorld.withInstance(1, 1, 0);
  private final ClientCore client = world.started("node");

  FilePutsTest() throws IOException {}

  @Test
  void filesThatWaitFailTogetherWithThoseBeforeThem() {
    world.ring.meddle((seat, request) -> isPut(request) ? busy() : null);
    long startNanos = world.timers.nanos();
    for (CompletableFuture<Void> each : putAll()) {
      assertThat(world.failure(each).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
    assertThat(world.timers.nanos() - startNanos).isBetween(30 * SECOND, 35 * SECOND);
  }

  @Test
  void filesWaitAsLongAsTheHomeAnswersOthers() {
    Map<Long, Long> firstNanos = new HashMap<>();
    world.ring.meddle(
        (seat, request) -> {
          if (!isPut(request)) return null;
          long now = world.timers.nanos();
          Long first = firstNanos.putIfAbsent(((Names.Request) request).op(), now);
          return first == null || now - first < 20 * SECOND ? busy() : null;
        });
    long startNanos = world.timers.nanos();
    for (CompletableFuture<Void> each : putAll()) world.get(each);
    assertThat(world.timers.nanos() - startNanos).isGreaterThan(60 * SECOND);
  }

  private List<CompletableFuture<Void>> putAll() {
    List<CompletableFuture<Void>> puts = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String name = "file-" + i;
      ByteBuffer bytes = ByteBuffer.allocate(1);
      puts.add(
          client
              .beginFile(ROOT)
              .thenCompose(
                  upload -> upload.put(name, 0644, Names.NOW, upload.layout().cut(bytes, 0))));
    }
    return puts;
  }

  private static boolean isPut(@Nullable Message request) {
    return request instanceof Names.Request names
        && (names.what() instanceof Names.PutFile || names.what() instanceof Names.PutFiles);
  }

  private static Message busy() {
    return new Replies.Failed(ErrorCode.BUSY, "not now");
  }
}
