// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.directory.LogDirectory.Options;
import io.forebay.store.record.Level;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be opened is refused in one sentence, and nothing at all is changed. */
@Timeout(120)
final class LogRefusalTest {
  private static final int SEGMENT = 64 * 1024;
  private static final StoreConfig CONFIG = StoreConfig.hybrid(SEGMENT, 6 * SEGMENT, 8 * SEGMENT);

  @TempDir Path temporary;

  private final LogUser user = new LogUser();
  private Path directory;
  private Path root;
  private Machine machine;

  @BeforeEach
  void makeRoot() throws IOException {
    directory = temporary.resolve("seat");
    root = Files.createDirectory(temporary.resolve("memory"));
    machine = new Machine(root, "boot-1");
  }

  private void makeLog() throws LogUnavailable, IOException {
    try (LogDirectory log = user.open(Options.create(directory, CONFIG), machine)) {
      LogUser.put(log.store(), 0, 20, Level.FORCED);
    }
  }

  private void assertRefused(Options options, String... words) throws IOException {
    Map<String, String> before = everything();
    assertThatThrownBy(() -> user.open(options, machine).close())
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContainingAll(words)
        .hasMessageMatching("[^\\n]*; [^\\n]*[^.]");
    assertThat(everything()).isEqualTo(before);
  }

  /** Every file with its bytes and when it was last written. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(temporary)) {
      for (Path file : files.toList()) {
        String content =
            Files.isRegularFile(file) ? "" + Arrays.hashCode(Files.readAllBytes(file)) : "";
        all.put(file.toString(), Files.getLastModifiedTime(file) + " " + content);
      }
    }
    return all;
  }

  @Test
  void missingDirectory() throws Exception {
    assertRefused(Options.existing(directory), directory.toString(), "does not exist");
    assertRefused(Options.existing(directory, CONFIG), directory.toString(), "does not exist");
  }

  @Test
  void notADirectory() throws Exception {
    Files.writeString(directory, "a file");
    assertRefused(Options.create(directory, CONFIG), directory.toString(), "is not a directory");
    assertRefused(Options.existing(directory), directory.toString(), "is not a directory");
  }

  @Test
  void notWritable() throws Exception {
    makeLog();
    try (Mounts mounts = new Mounts()) {
      mounts.readOnly(directory);
      assertRefused(Options.existing(directory), directory.toString(), "is not writable");
    }
  }

  @Test
  void noLog() throws Exception {
    Files.createDirectory(directory);
    assertRefused(Options.existing(directory), directory.toString(), "holds no log");
  }

  @Test
  void foreignFiles() throws Exception {
    Files.createDirectory(directory);
    Files.writeString(directory.resolve("thesis.tex"), "years of work");
    assertRefused(Options.create(directory, CONFIG), "other files", "'thesis.tex'");
    assertRefused(Options.existing(directory), directory.toString(), "holds no log");
  }

  @Test
  void brokenIdentity() throws Exception {
    makeLog();
    Path identity = directory.resolve("forebay.log");
    byte[] bytes = Files.readAllBytes(identity);
    Files.write(identity, Arrays.copyOf(bytes, bytes.length - 1));
    assertRefused(Options.create(directory, CONFIG), "forebay.log", "is broken");
    Files.write(identity, Arrays.copyOf(bytes, bytes.length + 1));
    assertRefused(Options.create(directory, CONFIG), "forebay.log", "is broken");
    Files.write(identity, new byte[0]);
    assertRefused(Options.create(directory, CONFIG), "forebay.log", "is broken");
  }

  @Test
  void newerVersion() throws Exception {
    makeLog();
    Path identity = directory.resolve("forebay.log");
    byte[] bytes = Files.readAllBytes(identity);
    bytes[Long.BYTES + Integer.BYTES - 1]++;
    Files.write(identity, bytes);
    assertRefused(Options.create(directory, CONFIG), "newer version", "log version 2");
    assertRefused(Options.existing(directory), "newer version", "use that version");
  }

  @Test
  void otherModeOrSegmentSize() throws Exception {
    makeLog();
    assertRefused(
        Options.create(directory, StoreConfig.ssd(SEGMENT, 8 * SEGMENT)), "mode hybrid, not SSD");
    assertRefused(
        Options.create(directory, StoreConfig.hybrid(2 * SEGMENT, 12 * SEGMENT, 16 * SEGMENT)),
        "segments of 64 KiB, not 128 KiB");
  }

  @Test
  void memoryRootThatIsMissingOrAnother() throws Exception {
    Path missing = temporary.resolve("missing");
    Options options = Options.create(directory, CONFIG);
    assertRefused(options.withMemoryRoot(missing), missing.toString(), "does not exist");
    assertRefused(options.withMemoryFallback(missing), missing.toString(), "does not exist");
    makeLog();
    assertRefused(options.withMemoryRoot(temporary), "memory segments", root.toString());
  }

  @Test
  void inUseByThisProcess() throws Exception {
    Options options = Options.create(directory, CONFIG);
    try (LogDirectory log = user.open(options, machine)) {
      LogUser.settle(log.store());
      assertRefused(options, directory.toString(), "in use by this process already");
      // Another name of the same directory is the same directory.
      Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
      assertRefused(Options.existing(link), "in use by this process already");
    }
    user.open(options, machine).close();
  }
}
