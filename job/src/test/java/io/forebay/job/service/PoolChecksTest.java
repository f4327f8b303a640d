// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.DirectiveReader;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolChecksTest {
  private static final List<Registry.Pool> POOLS =
      List.of(
          new Registry.Pool("none", 1 << 20, 0, 0, 0),
          new Registry.Pool("ssd", 1 << 20, 9, 0, 0),
          new Registry.Pool("limited", 2 << 20, 9, 9, 7 << 20));

  private static String refusal(String directive) throws Exception {
    try {
      PoolChecks.check(DirectiveReader.read("#!/bin/sh\n#DW jobdw " + directive + "\n"), POOLS);
      return "";
    } catch (JobFailed e) {
      return e.sentence();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "capacity=1M pool=none | line 2: pool 'none' has too few servers now",
        "capacity=10M pool=ssd | capacity 10 MiB is more than pool 'ssd' has in all; ask for at most 9 MiB",
        "capacity=7M pool=limited | more than one user may have of pool 'limited'; ask for at most 6 MiB",
        "capacity=1P pool=limited | than pool 'limited' has in all; ask for at most 6 MiB",
        "capacity=1P | more than any pool has in all; ask for at most 9 MiB"
      },
      quoteCharacter = '"')
  void whatNoPoolCanEverGiveIsRefused(String directive, String words) throws Exception {
    assertThat(refusal(directive)).contains(words);
  }

  @ParameterizedTest
  @CsvSource({"capacity=9M pool=ssd", "capacity=6M pool=limited", "capacity=8M"})
  void whatThereIsRoomForSomeTimeIsTaken(String directive) throws Exception {
    assertThat(refusal(directive)).isEmpty();
  }
}
