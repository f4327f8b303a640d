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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which memory segments nobody will read again. */
final class OrphanMemoryTest {
  private static final int SEGMENT = 64 * 1024;
  private static final StoreConfig CONFIG = StoreConfig.memory(SEGMENT, 6 * SEGMENT);

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

  private OrphanMemory only() throws Exception {
    assertThat(OrphanMemory.find(root)).hasSize(1);
    return OrphanMemory.find(root).getFirst();
  }

  private LogDirectory open() throws Exception {
    return user.open(Options.create(directory, CONFIG), machine);
  }

  @Test
  void whatIsOpenOrNeededStays() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.put(log.store(), 0, 10, Level.KEPT);
      LogUser.settle(log.store());
      OrphanMemory used = only();
      assertThat(used.state()).isEqualTo(OrphanMemory.State.IN_USE);
      assertThat(used.log()).isEqualTo(directory);
      assertThatThrownBy(() -> OrphanMemory.remove(used)).isInstanceOf(LogUnavailable.class);
    }
    OrphanMemory kept = only();
    assertThat(kept.state()).isEqualTo(OrphanMemory.State.KEPT);
    assertThat(kept.bytes()).isEqualTo(6 * SEGMENT);
    assertThatThrownBy(() -> OrphanMemory.remove(kept)).isInstanceOf(LogUnavailable.class);
    try (LogDirectory log = open()) {
      LogUser.check(log.store(), 0, 10);
    }
  }

  @Test
  void whatADeletedLogLeftIsRemoved() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.settle(log.store());
    }
    Files.delete(directory.resolve(IdentityFile.NAME));
    OrphanMemory orphan = only();
    assertThat(orphan.state()).isEqualTo(OrphanMemory.State.ORPHAN);
    OrphanMemory.remove(orphan);
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void whatAnotherLogInTheSamePlaceLeftIsRemoved() throws Exception {
    try (LogDirectory log = open()) {
      LogUser.settle(log.store());
    }
    Files.delete(directory.resolve(IdentityFile.NAME));
    try (LogDirectory log = open()) {
      assertThat(log.created()).isTrue();
      assertThat(OrphanMemory.find(root))
          .extracting(OrphanMemory::state)
          .containsExactlyInAnyOrder(OrphanMemory.State.IN_USE, OrphanMemory.State.ORPHAN);
    }
  }

  @Test
  void whatDoesNotSayWhoseItIsStays() throws Exception {
    Path old = Files.createDirectory(root.resolve("forebay-" + "0123456789abcdef".repeat(2)));
    Files.createFile(old.resolve("memory-000000"));
    Files.createDirectory(root.resolve("forebay-demo-1"));
    OrphanMemory unknown = only();
    assertThat(unknown.state()).isEqualTo(OrphanMemory.State.UNKNOWN);
    assertThatThrownBy(() -> OrphanMemory.remove(unknown)).isInstanceOf(LogUnavailable.class);
    assertThat(old.resolve("memory-000000")).exists();
  }
}
