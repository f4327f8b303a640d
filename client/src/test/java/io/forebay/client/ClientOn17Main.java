// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Uses everything an application uses, against the instance whose URI is given, and prints {@code
 * OK} and the Java it ran on. Started by tests in a process of the oldest Java that is supported.
 */
public final class ClientOn17Main {
  private static final int BYTES = 3_000_000;

  private ClientOn17Main() {}

  public static void main(String[] arguments) throws IOException {
    String uri = arguments[0];
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    try (Forebay client = Forebay.connect(uri)) {
      checkFiles(client, bytes);
      checkPairs(client.pairs(), bytes);
    }
    checkNio(uri, bytes);
    System.out.println("OK on Java " + Runtime.version().feature());
  }

  private static void checkFiles(Forebay client, byte[] bytes) throws IOException {
    client.mkdir("/on17");
    try (ForebayFile file = client.open("/on17/file", WRITE, READ, CREATE)) {
      file.write(ByteBuffer.wrap(bytes), 10);
      ByteBuffer back = ByteBuffer.allocate(BYTES);
      file.read(back, 10);
      require(Arrays.equals(back.array(), bytes), "what was written and not yet published");
    }
    try (ForebayFile file = client.open("/on17/file")) {
      ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
      file.readAsync(back, 10).join();
      require(back.flip().equals(ByteBuffer.wrap(bytes)), "what was published");
    }
  }

  private static void checkPairs(Pairs pairs, byte[] bytes) throws IOException {
    pairs.put("on17", bytes);
    require(Arrays.equals(pairs.get("on17"), bytes), "the value of a key");
    require(pairs.delete("on17") && pairs.get("on17") == null, "a deleted key");
  }

  private static void checkNio(String uri, byte[] bytes) throws IOException {
    Path directory = Path.of(URI.create(uri + "/on17"));
    Path file = directory.resolve("copy");
    Files.copy(directory.resolve("file"), file);
    require(Files.size(file) == BYTES + 10, "the size of a copy");
    byte[] all = Files.readAllBytes(file);
    require(Arrays.equals(Arrays.copyOfRange(all, 10, all.length), bytes), "a copy's content");
    Files.delete(file);
    Files.delete(directory.resolve("file"));
    Files.delete(directory);
    directory.getFileSystem().close();
  }

  private static void require(boolean holds, String what) {
    if (!holds) throw new IllegalStateException("not as it should be: " + what);
  }
}
