// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client on the oldest Java it promises to run on, against a real cluster. */
@Timeout(300)
class ClientOnOldJavaTest {
  @Test
  void everythingWorks() throws Exception {
    Path java = java17();
    assumeTrue(java != null, "needs a Java 17: install one, or set JAVA17_HOME to it");
    Path program = projectRoot().resolve("client/target/test-classes");
    assumeTrue(
        Files.exists(program.resolve("io/forebay/client/ClientOn17Main.class")),
        "needs the client's tests: build them with './forebay test client'");
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().segmentBytes(1 << 20).budget(32 << 20, 64 << 20).start()) {
      Process process =
          new ProcessBuilder(
                  java.toString(),
                  "-cp",
                  program + ":" + System.getProperty("java.class.path"),
                  "io.forebay.client.ClientOn17Main",
                  cluster.uri())
              .redirectErrorStream(true)
              .start();
      try {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("OK on Java 17");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static Path java17() throws IOException {
    String given = System.getenv("JAVA17_HOME");
    if (given != null) return Path.of(given, "bin", "java");
    Path usual = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(usual)) return null;
    try (Stream<Path> homes = Files.list(usual)) {
      return homes
          .filter(home -> home.getFileName().toString().contains("17"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .sorted()
          .findFirst()
          .orElse(null);
    }
  }

  private static Path projectRoot() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("LICENSE"))) at = at.getParent();
    return at;
  }
}
