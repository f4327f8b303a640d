// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.fake.FakeServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The client on the oldest Java it promises to run on, where one is installed. */
class ClientOn17Test {
  @Test
  void everythingWorks() throws IOException, InterruptedException {
    Path java = findJava17();
    assumeTrue(java != null, "no Java 17 is installed");
    try (FakeServer server = new FakeServer(2, 1, 0)) {
      Process process =
          new ProcessBuilder(
                  java.toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  ClientOn17Main.class.getName(),
                  server.uri())
              .redirectErrorStream(true)
              .start();
      String said;
      try {
        said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(said).contains("OK on Java 17");
    }
  }

  private static Path findJava17() throws IOException {
    Path folder = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(folder)) return null;
    try (Stream<Path> homes = Files.list(folder)) {
      List<Path> found =
          homes
              .filter(home -> home.getFileName().toString().matches(".*\\b(java-)?17\\b.*"))
              .map(home -> home.resolve("bin/java"))
              .filter(Files::isExecutable)
              .sorted()
              .toList();
      return found.isEmpty() ? null : found.get(0);
    }
  }
}
