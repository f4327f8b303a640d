// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

/** The limits of a tree, besides those that {@code Names} states for clients. */
public final class NameLimits {
  /** The longest name of a client node. */
  public static final int NODE_BYTES_MAX = 255;

  /** The longest name and value of an extended attribute, as on Linux. */
  public static final int EXTRA_NAME_BYTES_MAX = 255;

  public static final int EXTRA_VALUE_BYTES_MAX = 64 * 1024;

  /** Private trees of an instance: one for each client node. */
  public static final int TREES_MAX = 64 * 1024;

  /** Sessions that live in one tree: more clients than a home can serve at once. */
  public static final int SESSIONS_MAX = 64 * 1024;

  /**
   * The longest expiry time of a session, one day: longer requests are cut. The data of a lost
   * client would stay in the buffer that long.
   */
  public static final long EXPIRY_NANOS_MAX = 24 * 3600 * 1_000_000_000L;

  private NameLimits() {}

  /** How many bytes a text takes in UTF-8. */
  public static int utf8Bytes(String text) {
    return NameRules.utf8Bytes(text);
  }
}
