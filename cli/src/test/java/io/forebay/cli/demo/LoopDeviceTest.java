// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where devices may be made. */
@Timeout(120)
class LoopDeviceTest {
  private static final long BYTES = 8 << 20;

  @TempDir Path temporary;

  private static boolean mounted(Path directory) throws IOException {
    return Files.readString(Path.of("/proc/self/mounts")).contains(" " + directory + " ");
  }

  @Test
  void nothingOfItIsLeft() throws IOException {
    LoopDevice device = new LoopDevice(temporary, temporary);
    try (device) {
      mountIfAllowed(device);
      assertThat(mounted(device.directory())).isTrue();
      assertThat(Files.getFileStore(device.directory()).type()).isEqualTo("ext4");
      assertThat(Files.getFileStore(device.directory()).getUsableSpace()).isGreaterThan(BYTES);
      assertThat(device.label()).contains("loop device");
      assertThat(device.label().contains("NOT")).isEqualTo(!device.reason().isEmpty());
      Files.writeString(device.directory().resolve("file"), "something");
    }
    device.close();
    assertThat(mounted(device.directory())).isFalse();
    assertThat(temporary.resolve("device.img")).doesNotExist();
    assertThat(device.directory()).isEmptyDirectory();
  }

  @Test
  void whatIsClosedIsNotMade() throws IOException {
    LoopDevice device = new LoopDevice(temporary, temporary);
    device.close();
    assertThatThrownBy(() -> device.mount(BYTES)).hasMessage("interrupted");
    assertThat(mounted(device.directory())).isFalse();
  }

  private static void mountIfAllowed(LoopDevice device) throws IOException {
    String obstacle = "";
    try {
      device.mount(BYTES);
    } catch (LoopDevice.Impossible impossible) {
      obstacle = String.valueOf(impossible.getMessage());
    }
    assumeThat(obstacle).isEmpty();
  }
}
