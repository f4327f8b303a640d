// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StampTest {
  private final ByteBuffer bytes = ByteBuffer.allocate(64);

  @Test
  void tellsValuesAndHoles() {
    Stamp.fill(bytes.slice(0, 16), 5, 1000);
    Stamp.fill(bytes.slice(24, 40), Stamp.VALUE_MAX, 1024);
    assertThat(Stamp.identify(bytes, 1000))
        .containsExactly(
            new Run(1000, 16, 5), new Run(1016, 8, 0), new Run(1024, 40, Stamp.VALUE_MAX));
    assertThat(bytes.position()).isZero();
  }

  @Test
  void knowsBytesThatAreElsewhereThanWritten() {
    Stamp.fill(bytes, 5, 1000);
    assertThat(Stamp.identify(bytes, 1008)).containsExactly(new Run(1008, 64, Run.FOREIGN));
  }

  @Test
  void knowsDamage() {
    Stamp.fill(bytes, 5, 0);
    bytes.put(10, (byte) ~bytes.get(10));
    assertThat(Stamp.identify(bytes, 0))
        .containsExactly(new Run(0, 8, 5), new Run(8, 8, Run.FOREIGN), new Run(16, 48, 5));
  }

  @Test
  void knowsHalfACell() {
    Stamp.fill(bytes, 5, 0);
    assertThat(Stamp.identify(bytes.slice(0, 12), 0))
        .containsExactly(new Run(0, 8, 5), new Run(8, 4, Run.FOREIGN));
  }

  @Test
  void takesOnlyWholeCells() {
    assertThatThrownBy(() -> Stamp.fill(bytes, 5, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stamp.fill(bytes.slice(0, 12), 5, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stamp.fill(bytes, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
