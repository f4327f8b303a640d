package io.forebay.drain.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrainYieldTest {
  private static final int MIB = 1 << 20;
  private static final int CHUNK = 8 * MIB;

  private final DrainYield pace = new DrainYield();
  private long written;

  /** Ticks in which clients write so much each, and the drain all it may up to a limit. */
  private long drain(int ticks, long writtenEach, long possibleEach, int fullPercent) {
    long drained = 0;
    long possible = 0;
    for (int i = 0; i < ticks; i++) {
      written += writtenEach;
      pace.tick(written, fullPercent);
      possible += possibleEach;
      while (pace.allowsMore() && possible >= CHUNK) {
        pace.drained(CHUNK);
        possible -= CHUNK;
        drained += CHUNK;
      }
      if (!pace.allowsMore()) possible = Math.min(possible, CHUNK);
    }
    return drained;
  }

  @Test
  void aloneItGoesAsFastAsItCan() {
    assertThat(drain(100, 0, CHUNK, 10)).isEqualTo(100L * CHUNK);
    assertThat(pace.yields()).isFalse();
  }

  @Test
  void underLoadItKeepsAQuarterOfWhatItManagedAloneAndLittleMore() {
    long alone = drain(200, 0, 4 * MIB, 10);
    long under = drain(200, 1 * MIB, 4 * MIB, 10);
    assertThat(pace.yields()).isTrue();
    assertThat((double) under / alone).isBetween(0.25, 0.35);
    assertThat(drain(200, 0, 4 * MIB, 10)).isGreaterThan(alone * 9 / 10);
  }

  @Test
  void itGetsAShareOfWhatIsWrittenIfThatIsMore() {
    drain(200, 0, MIB, 10);
    long ingest = 40L * MIB;
    assertThat((double) drain(200, ingest, ingest, 10) / (200 * ingest)).isBetween(0.25, 0.3);
  }

  @Test
  void neverAloneItStillGoesOn() {
    assertThat(drain(100, 1000, 4 * MIB, 10)).isBetween(90L * MIB, 110L * MIB);
  }

  @Test
  void inAFullBufferItDoesNotYield() {
    assertThat(drain(100, MIB, CHUNK, DrainYield.FULL_PERCENT)).isEqualTo(100L * CHUNK);
  }
}
