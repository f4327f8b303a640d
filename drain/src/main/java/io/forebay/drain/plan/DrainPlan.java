// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.base.SeatId;
import io.forebay.drain.reorder.Pieces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The domains, each with its holder, and the writes of each domain in the order of the file, each
 * with its pieces. Writes are numbered through the file; for a store with parts, the number of a
 * part is that of its write plus one. If the file ends with a hole that is not written, the file's
 * size is set at the end.
 */
public final class DrainPlan {
  /** The part that does not depend on the holders. */
  record Layout(WriteRules rules, FileDomains domains, Pieces pieces, Writes writes) {}

  private final Layout layout;
  private final FileDomains domains;
  private final Pieces pieces;
  private final Writes writes;
  private final int[] firstWrites;
  private final Holders holders;
  private final int[] holderOfDomain;
  private final long localBytes;

  DrainPlan(Layout layout, Holders holders, int[] holderOfDomain, long localBytes) {
    this.layout = layout;
    this.holders = holders;
    this.holderOfDomain = holderOfDomain;
    this.localBytes = localBytes;
    domains = layout.domains;
    pieces = layout.pieces;
    writes = layout.writes;
    firstWrites = firstWrites(domains, writes);
  }

  /** For each domain its first write, and behind them the number of all writes. */
  private static int[] firstWrites(FileDomains domains, Writes writes) {
    int[] first = new int[domains.count() + 1];
    int write = 0;
    for (int domain = 0; domain < domains.count(); domain++) {
      first[domain] = write;
      while (write < writes.count() && writes.offset(write) < domains.end(domain)) write++;
    }
    first[domains.count()] = write;
    return first;
  }

  public FileDomains domains() {
    return domains;
  }

  public WriteRules rules() {
    return layout.rules;
  }

  public Holder holder(int domain) {
    return holders.get(holderOfDomain[domain]);
  }

  /** The domains of a seat, ascending. */
  public int[] domainsOf(SeatId seat) {
    int[] found = new int[holderOfDomain.length];
    int count = 0;
    for (int domain = 0; domain < holderOfDomain.length; domain++) {
      if (holder(domain).seat().equals(seat)) found[count++] = domain;
    }
    return Arrays.copyOf(found, count);
  }

  /** How many writes the whole file takes. */
  public int writeCount() {
    return writes.count();
  }

  /** A domain's first write; that of the next domain is the first that is not in this one. */
  public int firstWrite(int domain) {
    return firstWrites[domain];
  }

  /** The first write behind a domain's. */
  public int endWrite(int domain) {
    return firstWrites[domain + 1];
  }

  public long writeOffset(int write) {
    return writes.offset(write);
  }

  public int writeLengthBytes(int write) {
    return writes.lengthBytes(write);
  }

  /** The bytes of all writes, zeros included. */
  public long writtenBytes() {
    return writes.bytes(0, writes.count());
  }

  /** How many bytes no holder has to fetch from another seat, at least. */
  public long localBytes() {
    return localBytes;
  }

  /** Visits the parts of a write. */
  public void visit(int write, WriteParts parts) {
    long at = writes.offset(write);
    long end = at + writes.lengthBytes(write);
    for (int piece = writes.firstPiece(write); at < end; piece++) {
      long start = piece == pieces.count() ? end : Math.min(end, pieces.offset(piece));
      if (start > at) {
        parts.zeros(at, (int) (start - at));
        at = start;
      }
      if (at == end) return;
      int bytes = (int) (Math.min(end, pieces.endOffset(piece)) - at);
      long skippedBytes = at - pieces.offset(piece);
      parts.bytes(at, bytes, pieces.source(piece), pieces.sourceOffset(piece) + skippedBytes);
      at += bytes;
    }
  }

  /** The groups that have bytes of a write, ascending; bytes without a group are ignored. */
  public int[] groupsOf(int write, SourceGroups sources) {
    TreeSet<Integer> groups = new TreeSet<>();
    visit(
        write,
        new WriteParts() {
          private int last = SourceGroups.NONE;

          @Override
          public void bytes(long fileOffset, int lengthBytes, int source, long sourceOffset) {
            int group = sources.groupOf(source);
            if (group != last && group != SourceGroups.NONE) groups.add(group);
            last = group;
          }

          @Override
          public void zeros(long fileOffset, int lengthBytes) {
            // Zeros come from nowhere.
          }
        });
    return groups.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The same plan without a dead seat (P23): its domains go to the holders with the least to write.
   * The writes are unchanged, so finished writes of others count.
   *
   * @throws IllegalArgumentException if no other holder is left
   */
  public DrainPlan without(SeatId gone) {
    Holders left = holders.without(gone);
    long[] bytes = new long[left.count()];
    int[] holderOf = new int[holderOfDomain.length];
    for (int domain = 0; domain < holderOf.length; domain++) {
      holderOf[domain] = left.indexOf(holder(domain));
      if (holderOf[domain] >= 0) bytes[holderOf[domain]] += writtenBytes(domain);
    }
    for (int domain = 0; domain < holderOf.length; domain++) {
      if (holderOf[domain] >= 0) continue;
      holderOf[domain] = indexOfLeast(bytes);
      bytes[holderOf[domain]] += writtenBytes(domain);
    }
    // Which bytes the new holders have is unknown here.
    return new DrainPlan(layout, left, holderOf, 0);
  }

  private long writtenBytes(int domain) {
    return writes.bytes(firstWrite(domain), endWrite(domain));
  }

  private static int indexOfLeast(long[] bytes) {
    int least = 0;
    for (int i = 1; i < bytes.length; i++) {
      if (bytes[i] < bytes[least]) least = i;
    }
    return least;
  }

  /** The directory entry for the commit of the drain. */
  public DomainsEntry entry() {
    List<DomainsEntry.DomainHolder> ordered = new ArrayList<>(holderOfDomain.length);
    for (int domain = 0; domain < holderOfDomain.length; domain++) {
      Holder holder = holder(domain);
      ordered.add(new DomainsEntry.DomainHolder(holder.seat(), holder.group()));
    }
    return new DomainsEntry(domains.sizeBytes(), domains.domainBytes(), ordered);
  }
}
