// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CapabilityTest {
  private static final AccessKey KEY = AccessKey.draw(3, new Random(1));
  private static final Capability GIVEN =
      new Capability(3, 7, 2, 1000, List.of(100, 200), Rights.READ | Rights.OBSERVE, 1_800_000_000);

  @Test
  void aSignedCapabilityIsReadBack() {
    Bytes signed = KEY.sign(GIVEN);
    assertThat(KEY.verify(signed)).isEqualTo(GIVEN);
    assertThat(Capability.keyIdOf(signed)).isEqualTo(3);
    assertThat(signed.length()).isLessThanOrEqualTo(Capability.BYTES_MAX);
  }

  @Test
  void aChangedBitIsNoticed() {
    byte[] signed = KEY.sign(GIVEN).toArray();
    for (int bit = 0; bit < signed.length * Byte.SIZE; bit++) {
      byte[] changed = signed.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertThat(KEY.verify(Bytes.copyOf(changed))).as("bit %d", bit).isNull();
    }
  }

  @Test
  void eachLengthIsChecked() {
    byte[] signed = KEY.sign(GIVEN).toArray();
    for (int length = 0; length < signed.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(signed, length);
      assertThat(KEY.verify(Bytes.copyOf(cut))).isNull();
    }
    byte[] longer = java.util.Arrays.copyOf(signed, signed.length + 1);
    assertThat(KEY.verify(Bytes.copyOf(longer))).isNull();
    assertThat(KEY.verify(Bytes.copyOf(new byte[Capability.BYTES_MAX + 1]))).isNull();
  }

  @Test
  void anotherKeyDoesNotVerifyIt() {
    assertThat(AccessKey.draw(3, new Random(2)).verify(KEY.sign(GIVEN))).isNull();
    assertThat(AccessKey.draw(4, new Random(1)).verify(KEY.sign(GIVEN))).isNull();
    assertThatThrownBy(() -> AccessKey.draw(4, new Random(1)).sign(GIVEN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itAllowsItsRightsOnly() {
    assertThat(GIVEN.allows(Rights.READ)).isTrue();
    assertThat(GIVEN.allows(Rights.WRITE)).isFalse();
    assertThat(Rights.describe(GIVEN.rights())).isEqualTo("read, observe");
  }

  @Test
  void aKeySaysNothingOfItsSecret() {
    assertThat(KEY.toString()).isEqualTo("access key 3");
  }
}
