// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds owners in the kernel's tables of sockets, as text below {@code /proc/net}. Reading them
 * takes milliseconds, so {@link SocketDiagnosis} is asked first. Any thread.
 */
final class SocketTable implements SocketOwner {
  private static final Logger LOG = LoggerFactory.getLogger(SocketTable.class);
  private static final String ESTABLISHED = "01";
  private static final int HEX = 16;
  private static final int WORD_BYTES = 4;

  // The columns of a line.
  private static final int LOCAL_COLUMN = 1;
  private static final int REMOTE_COLUMN = 2;
  private static final int STATE_COLUMN = 3;
  private static final int USER_COLUMN = 7;
  private static final int INODE_COLUMN = 9;

  private final List<Path> tables;

  SocketTable() {
    this(List.of(Path.of("/proc/net/tcp6"), Path.of("/proc/net/tcp")));
  }

  SocketTable(List<Path> tables) {
    this.tables = tables;
  }

  @Override
  public OptionalInt userOf(InetSocketAddress own, InetSocketAddress other) {
    for (Path table : tables) {
      try (Stream<String> lines = Files.lines(table)) {
        OptionalInt found =
            lines
                .skip(1)
                .map(line -> line.strip().split("\\s+", -1))
                .filter(columns -> isBetween(columns, own, other))
                .mapToInt(columns -> Integer.parseUnsignedInt(columns[USER_COLUMN]))
                .findFirst();
        if (found.isPresent()) return found;
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} cannot be read", table, e);
      }
    }
    return OptionalInt.empty();
  }

  /** A socket that its process has closed has no inode, and seems to belong to root. */
  private static boolean isBetween(
      String[] columns, InetSocketAddress own, InetSocketAddress other) {
    return columns.length > INODE_COLUMN
        && columns[STATE_COLUMN].equals(ESTABLISHED)
        && !columns[INODE_COLUMN].equals("0")
        && own.equals(address(columns[LOCAL_COLUMN]))
        && other.equals(address(columns[REMOTE_COLUMN]));
  }

  /** Reads {@code 0100007F:1B9E}: words of four bytes in the machine's order, then the port. */
  private static InetSocketAddress address(String text) {
    int colon = text.indexOf(':');
    byte[] bytes = new byte[colon / 2];
    for (int i = 0; i < bytes.length; i++) {
      int word = i / WORD_BYTES * WORD_BYTES;
      int from = (word + WORD_BYTES - 1 - i % WORD_BYTES) * 2;
      bytes[i] = (byte) Integer.parseInt(text.substring(from, from + 2), HEX);
    }
    int port = Integer.parseInt(text.substring(colon + 1), HEX);
    try {
      // Java turns IPv4 addresses that are mapped into IPv6 back into IPv4 ones.
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + bytes.length + " bytes", e);
    }
  }

  /** Whether an address is of the older kind; for requests that name the kind. */
  static boolean isFour(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address;
  }
}
