// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.seat.SeatConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StorageTest {
  private static final long MIB = 1L << 20;

  private static Storage storage(int segmentBytes) {
    return new Storage(Path.of("unused"), null, 16 * MIB, 32 * MIB, segmentBytes, false);
  }

  /** A seat with smaller ones ended when its first snapshot was due. */
  @Test
  void segmentsThatAreTooSmallForASeatAreRefused() throws StartFailed {
    assertThat(storage(SeatConfig.SEGMENT_BYTES_MIN).share(2).segmentBytes())
        .isEqualTo(SeatConfig.SEGMENT_BYTES_MIN);
    assertThatThrownBy(() -> storage(256 * 1024).share(1))
        .isInstanceOf(StartFailed.class)
        .hasMessage("segment is 256 KiB; a seat's log needs at least 512 KiB");
  }
}
