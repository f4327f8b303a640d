// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class KernelMountsTest {
  @Test
  void otherFileSystemsAreNoInstances() throws IOException {
    assertThat(new KernelMounts().find("/proc/self")).isNull();
    assertThat(new KernelMounts().find("/")).isNull();
  }
}
