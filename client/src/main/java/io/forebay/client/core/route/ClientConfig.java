// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Bytes;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import java.util.List;

/**
 * The configuration of a client.
 *
 * @param managers the addresses of managers; the client uses any of them
 * @param instance the name of the instance to attach to
 * @param node the host this client runs on, as seats call it, for Unix sockets and, unless the tree
 *     names another node, private trees
 * @param identity the default identity of requests
 * @param tree which tree of the instance to attach to
 * @param credential the secret of the job whose instance it is; empty for none
 */
public record ClientConfig(
    List<Address> managers,
    String instance,
    String node,
    Identity identity,
    Sizes sizes,
    Times times,
    TreeChoice tree,
    Bytes credential) {
  /**
   * Sizes and windows.
   *
   * @param pieceBytes the maximum size of a piece; longer writes are cut
   * @param writeWindowBytes sent and not yet acknowledged, over all files
   * @param readWindowBytes requested and not yet received, over all files
   * @param readAheadBytes the maximum fetched ahead, over all files; 0 for none
   * @param roomBytes how much room is reserved ahead in an instance with a capacity
   */
  public record Sizes(
      int pieceBytes,
      long writeWindowBytes,
      long readWindowBytes,
      long readAheadBytes,
      long roomBytes) {
    /** No piece is longer, so that one never holds a connection for long. */
    public static final int PIECE_BYTES_MAX = 4 * 1024 * 1024;

    public static final Sizes DEFAULT =
        new Sizes(1 << 20, 32L << 20, 32L << 20, 32L << 20, 64L << 20);

    public Sizes {
      require(pieceBytes >= 1 && pieceBytes <= PIECE_BYTES_MAX, "pieceBytes", pieceBytes);
      require(writeWindowBytes >= pieceBytes, "writeWindowBytes", writeWindowBytes);
      require(readWindowBytes >= 1, "readWindowBytes", readWindowBytes);
      require(readAheadBytes >= 0, "readAheadBytes", readAheadBytes);
      require(roomBytes >= 1, "roomBytes", roomBytes);
    }
  }

  /**
   * Timeouts.
   *
   * @param operationNanos an operation that has not succeeded within this time fails
   * @param answerNanos after this time without any message from a seat, the connection is closed
   * @param sessionNanos the session expires when the client sends nothing for this time
   */
  public record Times(long operationNanos, long answerNanos, long sessionNanos) {
    private static final long SECOND = 1_000_000_000L;

    /** An answer that takes this share of the time it may take is overdue. */
    private static final int OVERDUE_SHARE = 10;

    public static final Times DEFAULT = new Times(30 * SECOND, 5 * SECOND, 60 * SECOND);

    public Times {
      require(operationNanos >= 1, "operationNanos", operationNanos);
      require(answerNanos >= 1, "answerNanos", answerNanos);
      require(sessionNanos >= 3, "sessionNanos", sessionNanos);
    }

    /** The time after which a silent seat that owes an answer is probed. */
    public long overdueNanos() {
      return Math.max(1, answerNanos / OVERDUE_SHARE);
    }
  }

  public ClientConfig {
    managers = List.copyOf(managers);
    if (managers.isEmpty()) throw new IllegalArgumentException("no manager's address is given");
  }

  /** A client of the usual tree. */
  public ClientConfig(
      List<Address> managers,
      String instance,
      String node,
      Identity identity,
      Sizes sizes,
      Times times) {
    this(managers, instance, node, identity, sizes, times, TreeChoice.USUAL, Bytes.EMPTY);
  }

  private static void require(boolean holds, String key, long value) {
    if (!holds) throw new IllegalArgumentException(key + " cannot be " + value);
  }
}
