// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.profile.CommonValue;
import io.forebay.testing.TestSeed;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CommonValuesTest {
  @Test
  void commonValuesAreFoundAmongManyRareOnes() {
    SplittableRandom random = new SplittableRandom(TestSeed.next("CommonValuesTest"));
    CommonValues values = new CommonValues();
    int half = 0;
    int fifth = 0;
    for (int i = 0; i < 10_000; i++) {
      int dice = random.nextInt(10);
      if (dice < 5) half++;
      else if (dice < 7) fifth++;
      values.add(dice < 5 ? 47_008 : dice < 7 ? 96 : 1_000_000 + i);
    }
    List<CommonValue> counted = values.counted();
    assertThat(counted.get(0)).isEqualTo(new CommonValue(47_008, half));
    assertThat(counted.get(1).value()).isEqualTo(96);
    // Never more than there were, nor less by more than a share of all.
    assertThat(counted.get(1).count())
        .isBetween(fifth - 10_000L / CommonValue.KEPT_MAX, (long) fifth);
    assertThat(counted).hasSize(CommonValue.KEPT_MAX);
  }
}
