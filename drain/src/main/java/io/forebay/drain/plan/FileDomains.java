// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/**
 * How a file is cut: into domains of equal length, each written by one holder, and these into
 * writes of equal length; the last of each may be shorter. A domain is a whole number of writes and
 * of the store's stripes, so that no two holders write to one stripe.
 */
public record FileDomains(long sizeBytes, int writeBytes, long domainBytes) {
  /**
   * A holder gets several domains, so that they can go to holders that have the bytes, and still
   * evenly.
   */
  static final int DOMAINS_PER_HOLDER = 4;

  /** The maximum length of the list of writes; larger files get longer writes. */
  static final int WRITES_MAX = 1 << 22;

  /** No file is larger. */
  public static final long SIZE_BYTES_MAX = 1L << 60;

  /** The results of cutting. */
  public sealed interface Cut {
    record Done(FileDomains domains) implements Cut {}

    /** The store does not take files of that size. */
    record TooLarge(long sizeBytes, long sizeBytesMax) implements Cut {}
  }

  public FileDomains {
    if (sizeBytes < 0 || sizeBytes > SIZE_BYTES_MAX || writeBytes <= 0) {
      throw new IllegalArgumentException(sizeBytes + " bytes in writes of " + writeBytes);
    }
    if (domainBytes <= 0 || domainBytes % writeBytes != 0) {
      throw new IllegalArgumentException(
          "domains of " + domainBytes + " bytes in writes of " + writeBytes);
    }
  }

  /** Cuts a file for this many holders. */
  public static Cut cut(long sizeBytes, WriteRules rules, int holders) {
    if (holders <= 0) throw new IllegalArgumentException(holders + " holders");
    if (sizeBytes > SIZE_BYTES_MAX) return new Cut.TooLarge(sizeBytes, SIZE_BYTES_MAX);
    int unit = alignment(rules);
    int longest = rules.partBytesMax() / unit * unit;
    long write = roundedUp(Math.max(rules.writeBytes(), rules.partBytesMin()), unit);
    if (rules.holes() == Holes.ZEROS) {
      int writesMax = Math.min(rules.partsMax(), WRITES_MAX);
      write = Math.max(write, roundedUp(parts(sizeBytes, writesMax), unit));
      if (write > longest && parts(sizeBytes, longest) > writesMax) {
        return new Cut.TooLarge(sizeBytes, (long) longest * writesMax);
      }
    }
    int writeBytes = (int) Math.min(write, longest);
    return new Cut.Done(
        new FileDomains(sizeBytes, writeBytes, domainBytes(sizeBytes, writeBytes, rules, holders)));
  }

  /** A stripe, or the part of a very long one that makes a reasonable write. */
  private static int alignment(WriteRules rules) {
    int unit = rules.stripeBytes();
    while (unit > WriteRules.WRITE_BYTES_MAX && unit % 2 == 0) unit /= 2;
    return unit;
  }

  private static long domainBytes(long sizeBytes, int writeBytes, WriteRules rules, int holders) {
    long unit = leastCommonMultiple(writeBytes, rules.stripeBytes());
    long wanted = rules.parallelWriters() ? (long) DOMAINS_PER_HOLDER * holders : 1;
    return Math.max(unit, roundedUp(parts(sizeBytes, wanted), unit));
  }

  private static long leastCommonMultiple(long a, long b) {
    long divisor = a;
    long rest = b;
    while (rest != 0) {
      long next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    return a / divisor * b;
  }

  private static long parts(long bytes, long each) {
    return bytes / each + (bytes % each == 0 ? 0 : 1);
  }

  private static long roundedUp(long bytes, long unit) {
    return parts(bytes, unit) * unit;
  }

  /** How many domains there are; none if the file is empty. */
  public int count() {
    return (int) parts(sizeBytes, domainBytes);
  }

  /** The domain that an offset lies in. */
  public int domainOf(long offset) {
    if (offset < 0 || offset >= sizeBytes) {
      throw new IllegalArgumentException("offset " + offset + " of " + sizeBytes);
    }
    return (int) (offset / domainBytes);
  }

  public long start(int domain) {
    return domain * domainBytes;
  }

  /** The first offset behind a domain. */
  public long end(int domain) {
    return Math.min(sizeBytes, start(domain) + domainBytes);
  }
}
