// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Long connections get new keys. The JDK changes them after 128 GiB, unless a property says
 * otherwise, which a JVM reads only once: so the connection is in a JVM of its own.
 */
class KeyUpdateTest {
  private static final String LIMIT = "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^19\n";
  private static final String UPDATES = "answered key updates: ";

  @TempDir private Path folder;

  @Test
  void aLongConnectionGetsNewKeysAndLosesNothing() throws Exception {
    TestCertificates ca = TestCertificates.create(folder, "ca");
    TestCertificates.Pair pair = ca.issue("node");
    Path properties = Files.writeString(folder.resolve("security"), LIMIT);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Djava.security.properties=" + properties,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                pair.certificate().toString(),
                pair.key().toString(),
                ca.ca().toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> lines = said.lines().toList();
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(lines).as(said).isNotEmpty();
    String last = lines.get(lines.size() - 1);
    assertThat(last).startsWith(UPDATES);
    // 4 MiB at 512 KiB each.
    assertThat(Integer.parseInt(last.substring(UPDATES.length()))).isGreaterThanOrEqualTo(4);
  }

  /** Sends in one direction. All that goes back answers key updates. */
  static final class Program {
    private static final int BYTES = 4 << 20;
    private static final int STEPS_MAX = 10_000;

    private Program() {}

    public static void main(String[] files) throws IOException {
      TlsIdentity identity =
          TlsIdentity.read(
              new TlsSettings(Path.of(files[0]), Path.of(files[1]), Path.of(files[2])));
      TlsBuffers buffers = new TlsBuffers();
      Wire there = new Wire(1 << 20);
      Wire back = new Wire(1 << 20);
      try (TlsChannel client =
              new TlsChannel(
                  identity.dialling(new Address.Inet("localhost", 1)),
                  Wire.end(back, there),
                  buffers);
          TlsChannel server =
              new TlsChannel(identity.listening(), Wire.end(there, back), buffers)) {
        establish(client, server);
        byte[] sent = new byte[BYTES];
        new Random(BYTES).nextBytes(sent);
        ByteBuffer from = ByteBuffer.wrap(sent);
        ByteBuffer into = ByteBuffer.allocate(BYTES);
        int answers = 0;
        for (int step = 0; into.hasRemaining(); step++) {
          if (step == STEPS_MAX) throw new IOException("only " + into.position() + " arrived");
          client.write(from);
          server.read(into);
          server.flush();
          if (back.waiting() > 0) answers++;
          if (client.read(ByteBuffer.allocate(1)) != 0) throw new IOException("bytes from nowhere");
        }
        if (!into.flip().equals(ByteBuffer.wrap(sent))) throw new IOException("other bytes");
        System.out.println(UPDATES + answers);
      }
    }

    private static void establish(TlsChannel client, TlsChannel server) throws IOException {
      for (int step = 0; step < STEPS_MAX; step++) {
        Link.Progress left = client.establish(() -> true);
        if (left == Link.Progress.DONE) client.flush();
        Link.Progress right = server.establish(() -> true);
        if (left == Link.Progress.DONE && right == left) return;
      }
      throw new IOException("no handshake");
    }
  }
}
