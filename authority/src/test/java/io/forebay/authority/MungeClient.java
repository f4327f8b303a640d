// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Tenancy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;

/**
 * A client in a process of its own, which proves its user as its environment says. Each line of its
 * input is a command; it answers each with one line.
 */
final class MungeClient {
  private static final int BYTES_MAX = 1000;

  private MungeClient() {}

  public static void main(String[] arguments) {
    ForebayOptions options = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(20));
    Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ", -1);
      try {
        System.out.println("ok " + done(words, options));
      } catch (IOException e) {
        System.out.println("failed " + e.getMessage());
      }
    }
  }

  private static String done(String[] words, ForebayOptions options) throws IOException {
    return switch (words[0]) {
      case "create" -> create(words[1], words[2], words[3], options);
      case "write" -> write(words[1], words[2], options);
      case "read" -> read(words[1], options);
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static String create(String uri, String name, String permit, ForebayOptions options)
      throws IOException {
    try (Cluster cluster = Cluster.connect(uri, options)) {
      InstanceOptions wanted = InstanceOptions.defaults().withCopies(1);
      Tenancy.Permit whom = Tenancy.Permit.valueOf(permit.toUpperCase(Locale.ROOT));
      cluster.createInstance(name, wanted.withTenancy(Tenancy.OPEN.withPermit(whom)));
      return name;
    }
  }

  private static String write(String uri, String text, ForebayOptions options) throws IOException {
    try (Forebay client = Forebay.connect(uri, options)) {
      try (ForebayFile file = client.open("/file", WRITE, CREATE)) {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
      }
      return List.of(
              client.stat("/file").user(),
              client.stat("/file").group(),
              client.options().identity().user())
          .toString();
    }
  }

  private static String read(String uri, ForebayOptions options) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(BYTES_MAX);
    try (Forebay client = Forebay.connect(uri, options);
        ForebayFile file = client.open("/file", READ)) {
      while (file.read(into, into.position()) > 0) {}
    }
    return StandardCharsets.UTF_8.decode(into.flip()).toString();
  }
}
