// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.EmbeddedCluster;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What 'forebay up' does on a machine with little shared memory. */
class UpMemoryTest {
  private static final long MIB = 1024 * 1024;

  private static String sentence(long freeBytes) throws Exception {
    Settings settings = Settings.read(Keys.UP, null, Map.of());
    return UpMemory.fitting(EmbeddedCluster.builder(), settings, freeBytes).sentence();
  }

  @Test
  void lessMemoryIsTakenWhereThereIsLess() throws Exception {
    assertThat(sentence(1024 * MIB)).contains("1 GiB free", "each server has 272 MiB");
  }

  @Test
  void inAContainerOfTheUsualSizeTheDiskTakesItsPlace() throws Exception {
    assertThat(sentence(64 * MIB)).contains("64 MiB free", "files on the disk", "--shm-size");
  }
}
