// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentCheckTest {
  @TempDir private Path directory;

  @Test
  void aDifferenceIsNamed() throws IOException {
    Path kept = Files.createDirectory(directory.resolve("kept"));
    Path file = directory.resolve("moist.nc");
    Files.write(file, new byte[] {1, 2, 3});
    ContentCheck check = new ContentCheck(kept, directory + "/", List.of("moist.nc"));
    check.requireSame("BPS", directory + "/");
    Files.write(file, new byte[] {1, 2, 4});
    assertThatThrownBy(() -> check.requireSame("BPS", directory + "/"))
        .hasMessage("moist.nc of BPS differs from that of the first way at byte 2");
    Files.delete(file);
    assertThatThrownBy(() -> check.requireSame("BPS", directory + "/"))
        .hasMessageEndingWith("moist.nc was not written");
    check.delete();
    assertThat(kept).doesNotExist();
  }
}
