// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * A drained file in its directory (P25): one entry that names, for each offset, the seat that wrote
 * it to the backing store and may still have it as a clean copy. Bytes that this seat has evicted
 * are read from the backing store.
 *
 * @param sizeBytes the size of the file that was drained
 * @param domainBytes the length of each domain but the last
 * @param holders one per domain, in the order of the file
 */
public record DomainsEntry(long sizeBytes, long domainBytes, List<DomainHolder> holders) {
  /**
   * The holder of one domain.
   *
   * @param group the group with the copies; readers follow it, even if its members change
   */
  public record DomainHolder(SeatId seat, GroupId group) {}

  public DomainsEntry {
    holders = List.copyOf(holders);
    if (sizeBytes < 0 || domainBytes <= 0) {
      throw new IllegalArgumentException(sizeBytes + " bytes in domains of " + domainBytes);
    }
    long domains = sizeBytes / domainBytes + (sizeBytes % domainBytes == 0 ? 0 : 1);
    if (holders.size() != domains) {
      throw new IllegalArgumentException(holders.size() + " holders of " + domains + " domains");
    }
  }

  /** Which domain an offset lies in. */
  public int domainOf(long offset) {
    if (offset < 0 || offset >= sizeBytes) {
      throw new IllegalArgumentException("offset " + offset + " of " + sizeBytes);
    }
    return (int) (offset / domainBytes);
  }

  public DomainHolder holderOf(long offset) {
    return holders.get(domainOf(offset));
  }

  /** The first offset behind the domain that this offset lies in. */
  public long endOfDomain(long offset) {
    return Math.min(sizeBytes, (domainOf(offset) + 1L) * domainBytes);
  }
}
