// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSystemStripeTest {
  @ParameterizedTest
  @CsvSource({
    "4194304, 4194304",
    "stripe_size: 4194304, 4194304",
    "0, 1048576",
    "-1, 1048576",
    "1000000, 1048576",
    "lfs: cannot open '/x', 1048576",
    "'', 1048576"
  })
  void whatLustrePrints(String printed, long stripeBytes) {
    assertThat(FileSystemStripe.ofText(printed + "\n")).isEqualTo(stripeBytes);
  }

  @ParameterizedTest
  @CsvSource({"4096, 1048576", "8388608, 8388608", "0, 1048576", "1099511627776, 1048576"})
  void whatOthersCallABlock(long blockBytes, long stripeBytes) {
    assertThat(FileSystemStripe.ofBlocks(blockBytes)).isEqualTo(stripeBytes);
  }

  @Test
  void thisDisk(@TempDir Path directory) throws IOException {
    assertThat(FileSystemStripe.of(directory)).isGreaterThanOrEqualTo(1 << 20);
  }
}
