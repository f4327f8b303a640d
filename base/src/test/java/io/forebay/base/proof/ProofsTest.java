// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.FileId;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProofsTest {
  private final SplittableRandom random = new SplittableRandom(42);

  @Test
  void theSameKeyGivesTheSameProofEverywhere() {
    ContentKey key = ContentKey.draw(random);
    ContentKey elsewhere = ContentKey.of(key.bytes());
    FileId file = new FileId(3, 17);
    long proof = key.proofOf(file);
    assertThat(key.proofOf(new FileId(3, 18))).isNotEqualTo(proof);
    assertThat(key.proofOf(file)).isEqualTo(proof);
    assertThat(elsewhere.proofOf(file)).isEqualTo(proof);
    assertThat(elsewhere).isEqualTo(key).hasSameHashCodeAs(key).hasToString("a key");
  }

  @Test
  void filesInstancesAndKeysHaveProofsOfTheirOwn() {
    Set<Long> proofs = new HashSet<>();
    for (int key = 0; key < 4; key++) {
      ContentKey drawn = ContentKey.draw(random);
      for (int instance = 0; instance < 4; instance++) {
        for (long number = 0; number < 100; number++) {
          proofs.add(drawn.proofOf(new FileId(instance, number)));
        }
      }
    }
    assertThat(proofs).hasSize(1600).doesNotContain(ContentKey.NO_PROOF);
  }

  @Test
  void aKeyHasItsLength() {
    assertThat(ContentKey.isPossible(Bytes.copyOf(new byte[ContentKey.BYTES]))).isTrue();
    Bytes tooLong = Bytes.copyOf(new byte[ContentKey.BYTES + 1]);
    assertThat(ContentKey.isPossible(tooLong)).isFalse();
    assertThatThrownBy(() -> ContentKey.of(tooLong)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSessionFollowsFromItsSecret() {
    long secret = SessionSecret.draw(random);
    long session = SessionSecret.sessionOf(secret);
    assertThat(session).isNotZero().isNotEqualTo(secret);
    assertThat(SessionSecret.sessionOf(secret)).isEqualTo(session);
    assertThat(SessionSecret.sessionOf(secret + 1)).isNotEqualTo(session);
    assertThat(SessionSecret.sessionOf(session)).isNotEqualTo(session);
  }
}
