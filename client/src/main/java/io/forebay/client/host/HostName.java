// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import io.forebay.ring.access.TreeNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The host name of this machine, and an identity that tells it from machines of the same name.
 *
 * <p>Servers and clients on a machine must use the same identity: a client uses the Unix socket of
 * a seat with its own identity, and the identity names a node's private tree. So it must not change
 * when a process or the machine restarts. The kernel's boot id does change, and would leave a
 * node's tree unreachable. The machine id stays for as long as the machine is installed. It is
 * meant to be kept secret, so only a digest of it leaves this machine. Where there is none, as in
 * many containers, the identity is the name alone, and it must be unique.
 */
public final class HostName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");
  private static final Path MACHINE_ID = Path.of("/etc/machine-id");
  private static final Pattern MACHINE_ID_TEXT = Pattern.compile("[0-9a-f]{32}");

  /** No name of a host has it. */
  private static final char SEPARATOR = '@';

  private static final int DIGEST_BYTES = 8;

  private HostName() {}

  /** The name alone, for people. */
  public static String local() {
    try {
      String known = Files.isReadable(KERNEL) ? Files.readString(KERNEL).strip() : "";
      if (!known.isEmpty()) return known;
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    } catch (IOException e) {
      return "localhost";
    }
  }

  /**
   * Checks the name that a user gives a node.
   *
   * @throws IllegalArgumentException if no node may have it
   */
  public static void requireNode(String name) {
    TreeNames.requireNode(name);
  }

  /** The name and what tells this machine from others of that name, for servers and clients. */
  public static String identity() {
    return identity(local(), machineId());
  }

  private static String machineId() {
    try {
      return Files.isReadable(MACHINE_ID) ? Files.readString(MACHINE_ID).strip() : "";
    } catch (IOException e) {
      return "";
    }
  }

  static String identity(String name, String machineId) {
    if (!MACHINE_ID_TEXT.matcher(machineId).matches()) return name;
    return name + SEPARATOR + digest("forebay host " + machineId);
  }

  /** The name in an identity, for people. */
  public static String nameIn(String identity) {
    int end = identity.lastIndexOf(SEPARATOR);
    return end < 0 ? identity : identity.substring(0, end);
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
