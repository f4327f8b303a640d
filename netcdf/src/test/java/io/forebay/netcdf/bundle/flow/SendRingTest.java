// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.parallel.Operation;
import io.forebay.testing.TestSeed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SendRingTest {
  private static final class Send implements Operation {
    boolean done;

    @Override
    public boolean isDone() {
      return done;
    }
  }

  private record Message(MemorySegment memory, Send send) {}

  @Test
  void messagesUnderWayNeverShareMemory() {
    SplittableRandom random = new SplittableRandom(TestSeed.next("messagesUnderWay"));
    SendRing ring = new SendRing(Arena.ofAuto().allocate(100));
    List<Message> underWay = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      MemorySegment memory = ring.take(1 + random.nextInt(100));
      if (memory == null) {
        assertThat(underWay).isNotEmpty();
        underWay.remove(random.nextInt(underWay.size())).send.done = true;
        continue;
      }
      for (Message other : underWay) assertApart(memory, other.memory);
      Send send = new Send();
      ring.sent(send);
      underWay.add(new Message(memory, send));
    }
    underWay.forEach(message -> message.send.done = true);
    ring.retire();
    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.take(100)).isNotNull();
  }

  private static void assertApart(MemorySegment a, MemorySegment b) {
    assertThat(
            a.address() + a.byteSize() <= b.address() || b.address() + b.byteSize() <= a.address())
        .isTrue();
  }
}
