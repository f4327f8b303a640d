// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

/**
 * The storage that the demo compares with: the share of one node of a parallel file system while
 * all other nodes write, too. It is fixed, so that results are comparable, and does not depend on
 * the speed of the ring here.
 */
public final class SlowShare {
  static final long BYTES_PER_SECOND = 64_000_000;

  /** For people. */
  public static final String RATE = "64 MB/s";

  /**
   * The reason for the rate. NERSC's Cori had 12,076 nodes and a scratch file system of about 700
   * GB/s.
   */
  public static final String REASON =
      "a node's share of a busy parallel file system (700 GB/s for 12,000 nodes is 58 MB/s each)";

  /** Its description, for people. */
  public static final String LABEL = "a directory slowed down to " + RATE + ", " + REASON;

  /** In front of the address of a directory. */
  public static final String SCHEME = "slow=64MB/s+posix:";

  private SlowShare() {}
}
