// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

/**
 * A node as its group knows it. A node that has lost its disk comes back as another peer: it no
 * longer knows how it voted.
 *
 * @param name what operators call it
 * @param incarnation drawn at random for each directory
 * @param address where the other nodes reach it, as {@code host:port}
 * @param clientAddress where clients and seats reach the manager on it, as {@code host:port}
 */
public record Peer(String name, String incarnation, String address, String clientAddress) {
  /** The longest name. */
  public static final int NAME_CHARS_MAX = 64;

  public Peer {
    if (!name.matches("[A-Za-z0-9._-]{1," + NAME_CHARS_MAX + "}")) {
      throw new IllegalArgumentException(
          "'%s' cannot name a manager: use up to %d letters, digits, '.', '_' and '-'"
              .formatted(name, NAME_CHARS_MAX));
    }
    if (!incarnation.matches("[0-9a-f]{16}")) {
      throw new IllegalArgumentException("'" + incarnation + "' is not an incarnation");
    }
  }

  /** The id that votes; no two directories share one. */
  public String id() {
    return name + "-" + incarnation;
  }
}
