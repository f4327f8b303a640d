// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.DirectiveReader;
import io.forebay.job.directive.Directives;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolChecksTest {
  @Test
  void aPoolThatCanHoldNoBufferIsNotAskedForLess() throws Exception {
    List<Registry.Pool> pools =
        List.of(new Registry.Pool("fast", 1 << 20, 0, 0), new Registry.Pool("ssd", 1 << 20, 9, 9));
    Directives directives = DirectiveReader.read("#!/bin/sh\n#DW jobdw capacity=1M pool=fast\n");
    assertThatThrownBy(() -> PoolChecks.check(directives, pools))
        .isInstanceOf(JobFailed.class)
        .hasMessageStartingWith("line 2: pool 'fast' has too few servers now");
  }
}
