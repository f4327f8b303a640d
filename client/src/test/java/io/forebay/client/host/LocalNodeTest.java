// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodeTest {
  @TempDir private Path folder;

  @Test
  void clientsFindTheNameThatTheAgentRecorded() throws IOException {
    Path socket = folder.resolve("agent.sock");
    assertThat(LocalNode.recorded(socket)).isEmpty();
    LocalNode.record(socket, "n1");
    assertThat(LocalNode.recorded(socket)).isEqualTo("n1");
    LocalNode.record(socket, "n2");
    assertThat(LocalNode.recorded(socket)).isEqualTo("n2");
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void whatIsNoNameCountsAsNone() throws IOException {
    Path socket = folder.resolve("agent.sock");
    Path file = folder.resolve("agent.sock.node");
    for (String text : new String[] {"", "@stage", "two words", "x".repeat(256)}) {
      Files.writeString(file, text);
      assertThat(LocalNode.recorded(socket)).as(text).isEmpty();
    }
  }
}
