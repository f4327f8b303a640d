// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Random files and pairs of one client, and what everybody must read of them. */
public final class Workload {
  private static final int SIZE_MAX = 600_000;

  private final String name;
  private final Random random;
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final Map<String, byte[]> pairs = new LinkedHashMap<>();

  public Workload(String name, long seed) {
    this.name = name;
    this.random = new Random(seed);
  }

  /** Makes files in pieces of random lengths, and pairs of which some are replaced. */
  public void write(Forebay client, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String path = "/" + name + "-" + files.size();
      byte[] content = bytes();
      try (ForebayFile file = client.open(path, WRITE, CREATE_NEW)) {
        int at = 0;
        while (at < content.length) {
          int length = Math.min(content.length - at, 1 + random.nextInt(SIZE_MAX / 2));
          file.write(ByteBuffer.wrap(content, at, length), at);
          at += length;
        }
      }
      files.put(path, content);
      String key = name + "/" + random.nextInt(count);
      byte[] value = bytes();
      client.pairs().put(key, value);
      pairs.put(key, value);
    }
  }

  /** Reads everything back, byte for byte. */
  public void check(Forebay client) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] content = file.getValue();
      assertThat(client.stat(file.getKey()).sizeBytes()).isEqualTo(content.length);
      try (ForebayFile open = client.open(file.getKey())) {
        byte[] read = open.inputStream(0).readAllBytes();
        assertThat(read).as(file.getKey()).isEqualTo(content);
      }
    }
    for (Map.Entry<String, byte[]> pair : pairs.entrySet()) {
      assertThat(client.pairs().get(pair.getKey())).as(pair.getKey()).isEqualTo(pair.getValue());
    }
  }

  private byte[] bytes() {
    // Small ones, an empty one now and then, and some of many pieces.
    int size = random.nextInt(random.nextInt(4) == 0 ? SIZE_MAX : SIZE_MAX / 20);
    byte[] bytes = new byte[random.nextInt(10) == 0 ? 0 : size];
    random.nextBytes(bytes);
    return bytes;
  }
}
