// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.directory.LogIdentity.Parsed;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig.Mode;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The identity's bytes: read as written, or refused. */
final class LogIdentityTest {
  private static final LogIdentity IDENTITY =
      new LogIdentity(
          new LogId(0x0123456789abcdefL, -2),
          Mode.HYBRID,
          64 * 1024 * 1024,
          "3f1c7f5e-5a0b-4a4d-9d55-0e6d3d0f8d51",
          "/dev/shm/forebay-übung",
          "/var/tmp/forebay-x",
          true,
          false);

  @Test
  void readsWhatItWrites() {
    assertThat(LogIdentity.parse(IDENTITY.toBlock())).isEqualTo(new Parsed.Valid(IDENTITY));
    LogIdentity bare =
        new LogIdentity(new LogId(1, 2), Mode.MEMORY, 64 * 1024, "", "", "", false, true);
    assertThat(LogIdentity.parse(bare.toBlock())).isEqualTo(new Parsed.Valid(bare));
    assertThat(LogIdentity.parse(bare.withAnonymous(true).withoutLoss().toBlock()))
        .isEqualTo(
            new Parsed.Valid(
                new LogIdentity(new LogId(1, 2), Mode.MEMORY, 64 * 1024, "", "", "", true, false)));
  }

  @Test
  void noFlippedBitGoesUnnoticed() {
    byte[] bytes = IDENTITY.toBlock().array();
    for (int at = 0; at < bytes.length; at++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        bytes[at] ^= (byte) (1 << bit);
        assertThat(LogIdentity.parse(ByteBuffer.wrap(bytes)))
            .as("byte %d, bit %d", at, bit)
            .isNotInstanceOf(Parsed.Valid.class);
        bytes[at] ^= (byte) (1 << bit);
      }
    }
  }

  @Test
  void anyBytesAreJudged() {
    long seed = TestSeed.first("LogIdentityTest");
    System.out.println("LogIdentityTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = IDENTITY.toBlock().array();
      // Behind the magic, so that what follows is looked at.
      byte[] noise = new byte[random.nextInt(1, 64)];
      random.nextBytes(noise);
      int at = random.nextInt(Long.BYTES, bytes.length - noise.length);
      System.arraycopy(noise, 0, bytes, at, noise.length);
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
      Parsed parsed = LogIdentity.parse(ByteBuffer.wrap(Arrays.copyOf(bytes, length)));
      if (parsed instanceof Parsed.Valid valid) assertThat(valid.identity()).isEqualTo(IDENTITY);
    }
  }

  @Test
  void aPathThatDoesNotFitIsRefused() {
    LogIdentity tooLong =
        new LogIdentity(
            new LogId(1, 2), Mode.MEMORY, 64 * 1024, "", "/x".repeat(513), "", false, false);
    assertThatThrownBy(tooLong::toBlock)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer than 1024 bytes");
  }
}
