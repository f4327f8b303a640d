// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;

/**
 * The name that this machine has as a node of a batch system. Its agent records the name beside its
 * socket, so that all clients of the machine find the private trees that the agent mounts.
 */
public final class LocalNode {
  /** The variable that names another socket, as for the programs of batch systems. */
  private static final String SOCKET = "FOREBAY_AGENT_SOCKET";

  /** Where an agent listens unless it is told otherwise. */
  public static final String SOCKET_DEFAULT = "/run/forebay/agent.sock";

  private static final String SUFFIX = ".node";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

  private LocalNode() {}

  /** The name, or empty if no agent has recorded one: then the host is a node by itself. */
  public static String name() {
    String socket = System.getenv(SOCKET);
    return recorded(Path.of(socket == null || socket.isEmpty() ? SOCKET_DEFAULT : socket));
  }

  static String recorded(Path socket) {
    try {
      Path file = fileOf(socket);
      String text = Files.isReadable(file) ? Files.readString(file).strip() : "";
      return NAME.matcher(text).matches() ? text : "";
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Records the name for clients of this machine. It stays when the agent ends, as mounts do.
   *
   * @param socket where the agent listens
   */
  public static void record(Path socket, String node) throws IOException {
    Path file = fileOf(socket);
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, node + "\n");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path fileOf(Path socket) {
    return Path.of(socket.toAbsolutePath() + SUFFIX);
  }
}
