// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import io.forebay.drain.reorder.Pieces;
import java.util.Arrays;

/**
 * How many bytes each domain has, and which holders already have most of them. One pass over the
 * pieces, then one over holders and domains.
 */
final class DomainLoads {
  /** The number of holders remembered per domain; holders with less gain little. */
  static final int PREFERRED_MAX = 8;

  private final FileDomains domains;
  private final Holders holders;
  private final int first;
  private final long[] groupBytes;
  private final long[] dataBytes;
  private final int[][] preferred;
  private final long[][] preferredBytes;

  /** Counts the bytes of each domain. */
  DomainLoads(Pieces pieces, FileDomains domains, Participants participants) {
    this.domains = domains;
    holders = participants.holders();
    first = participants.first();
    groupBytes = new long[holders.groupCount()];
    dataBytes = new long[domains.count()];
    preferred = new int[domains.count()][];
    preferredBytes = new long[domains.count()][];
    count(pieces, participants.sources());
  }

  private void count(Pieces pieces, SourceGroups sources) {
    int piece = 0;
    for (int domain = 0; domain < domains.count(); domain++) {
      long start = domains.start(domain);
      long end = domains.end(domain);
      Arrays.fill(groupBytes, 0);
      while (piece < pieces.count() && pieces.offset(piece) < end) {
        long from = Math.max(start, pieces.offset(piece));
        long bytes = Math.min(end, pieces.endOffset(piece)) - from;
        dataBytes[domain] += bytes;
        int group = holders.indexOfGroup(sources.groupOf(pieces.source(piece)));
        if (group >= 0) groupBytes[group] += bytes;
        if (pieces.endOffset(piece) > end) break;
        piece++;
      }
      prefer(domain);
    }
  }

  /** Remembers the holders with most of a domain, in that order. */
  private void prefer(int domain) {
    int[] best = new int[PREFERRED_MAX];
    long[] bestBytes = new long[PREFERRED_MAX];
    int found = 0;
    for (int i = 0; i < holders.count(); i++) {
      // Among equals, the first holder differs from domain to domain.
      int holder = (i + first + domain) % holders.count();
      long bytes = holders.bytesOf(holder, groupBytes);
      if (bytes == 0) continue;
      int place = found;
      while (place > 0 && bestBytes[place - 1] < bytes) place--;
      if (place == PREFERRED_MAX) continue;
      found = Math.min(found + 1, PREFERRED_MAX);
      System.arraycopy(best, place, best, place + 1, found - place - 1);
      System.arraycopy(bestBytes, place, bestBytes, place + 1, found - place - 1);
      best[place] = holder;
      bestBytes[place] = bytes;
    }
    preferred[domain] = Arrays.copyOf(best, found);
    preferredBytes[domain] = Arrays.copyOf(bestBytes, found);
  }

  /** The bytes of a domain that are no holes. */
  long dataBytes(int domain) {
    return dataBytes[domain];
  }

  /** The holders with most of a domain, in descending order. */
  int[] preferred(int domain) {
    return preferred[domain];
  }

  /** The bytes of a domain at these holders. */
  long[] preferredBytes(int domain) {
    return preferredBytes[domain];
  }

  /** How many bytes of a domain a holder has, if it is one of those with most. */
  long localBytes(int domain, int holder) {
    for (int i = 0; i < preferred[domain].length; i++) {
      if (preferred[domain][i] == holder) return preferredBytes[domain][i];
    }
    return 0;
  }
}
