// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.ending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ExpiryTimeTest {
  private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

  @Test
  void durationsDatesAndTimesAreRead() {
    assertThat(ExpiryTime.parse("12h", NOW)).isEqualTo("2026-11-18T12:00:00Z");
    assertThat(ExpiryTime.parse("30d", NOW)).isEqualTo("2026-12-18T00:00:00Z");
    assertThat(ExpiryTime.parse("2030-01-31", NOW)).isEqualTo("2030-01-31T00:00:00Z");
    assertThat(ExpiryTime.parse("2030-01-31T12:00:00Z", NOW)).isEqualTo("2030-01-31T12:00:00Z");
  }

  @Test
  void othersAreRefused() {
    assertThatThrownBy(() -> ExpiryTime.parse("soon", NOW))
        .hasMessageContaining("--expires cannot be 'soon'; write such as 12h");
    assertThatThrownBy(() -> ExpiryTime.parse("2030-13-31", NOW)).hasMessageContaining("30d");
    assertThatThrownBy(() -> ExpiryTime.parse("2020-01-31", NOW))
        .hasMessageContaining("--expires '2020-01-31' is in the past");
  }
}
