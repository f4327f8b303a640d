package io.forebay.base;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine a program runs on, as every program on it says it: servers put it into the map, and a
 * client that finds its own there uses the server's Unix socket.
 *
 * @param name what people call the machine
 * @param boot tells machines of one name apart; empty where the system has none
 */
public record HostName(String name, String boot) {
  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final int BOOT_CHARS = 8;

  /** The machine this program runs on. */
  public static HostName current() {
    String boot = read(BOOT_ID);
    String name = read(NAME);
    return new HostName(
        name.isEmpty() ? resolved() : name,
        boot.substring(0, Math.min(BOOT_CHARS, boot.length())));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException notLinux) {
      return "";
    }
  }

  private static String resolved() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  @Override
  public String toString() {
    return boot.isEmpty() ? name : name + "@" + boot;
  }
}
