// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was sent comes back, in long pieces and in short ones. */
class BarePeerTest {
  private static final int REGION_BYTES = 1 << 20;

  @TempDir private Path directory;

  @Test
  void recordsLandAndComeBack() throws IOException {
    try (BarePeer peer = BarePeer.start(directory, directory, REGION_BYTES)) {
      for (int payloadBytes : List.of(REGION_BYTES / 4, 4096)) {
        ByteBuffer sent = ByteBuffer.allocateDirect(payloadBytes);
        for (int i = 0; i < payloadBytes; i++) sent.put(i, (byte) (i * 31 + payloadBytes));
        long count = REGION_BYTES / payloadBytes;
        assertThat(peer.put(payloadBytes, count, 16, sent::duplicate)).isPositive();
        List<ByteBuffer> received = new ArrayList<>();
        peer.get(
            payloadBytes,
            count,
            () -> {
              ByteBuffer place = ByteBuffer.allocateDirect(payloadBytes);
              received.add(place);
              return place.duplicate();
            });
        assertThat(received).hasSize((int) count).allMatch(sent::equals);
      }
      List<Long> nanos = new ArrayList<>();
      peer.putEach(4096, 10, () -> ByteBuffer.allocateDirect(4096), nanos::add);
      assertThat(nanos).hasSize(10).allMatch(each -> each > 0);
      assertThat(peer.cpuNanos()).isPositive();
    }
  }
}
