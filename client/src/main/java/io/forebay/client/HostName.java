package io.forebay.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this machine calls itself. Servers and clients must say the same, since a client that finds
 * its own name at a seat uses that seat's Unix socket.
 */
public final class HostName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  public static String local() {
    try {
      if (Files.isReadable(KERNEL)) return Files.readString(KERNEL).strip();
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    } catch (IOException e) {
      return "localhost";
    }
  }
}
