// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A memory place on a device survives a power cut, but not with its newest bytes. */
final class LogStaleImageTest {
  private static final int SEGMENT = 64 * 1024;

  @TempDir Path temporary;

  @Test
  void anImageThatLostItsTailDoesNotHideWhatWasForced() throws Exception {
    LogUser user = new LogUser();
    Path root = Files.createDirectory(temporary.resolve("memory"));
    Options options =
        Options.create(
            temporary.resolve("seat"), StoreConfig.hybrid(SEGMENT, 12 * SEGMENT, 40 * SEGMENT));
    Path memory;
    try (LogDirectory log = user.open(options, new Machine(root, "boot-1"))) {
      LogUser.put(log.store(), 0, 8, Level.FORCED);
      memory = root.resolve("forebay-" + log.id());
    }
    for (Path slot : SlotFiles.list(memory, "memory-")) {
      try (FileChannel channel = FileChannel.open(slot, StandardOpenOption.WRITE)) {
        int cut = 4096 + 3 * 5184;
        channel.write(ByteBuffer.allocate(SEGMENT - cut), cut);
      }
    }
    try (LogDirectory log = user.open(options, new Machine(root, "boot-2"))) {
      assertThat(log.memorySurvived()).isFalse();
      LogUser.check(log.store(), 0, 8);
    }
  }
}
