// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

/**
 * Two-level reordering. Requests are sorted by their first byte, as a whole. Requests with disjoint
 * ranges need no more, since each is in order inside. Only interleaved requests are taken apart and
 * their extents sorted, and only for overlapping extents the newest is chosen.
 *
 * <p>Working memory, beside requests and result: 8 bytes per request, and 8 per extent of the
 * largest group of interleaved requests; 24 each if offsets are so many and so wide that they do
 * not fit one long with their numbers.
 */
public final class Reordering {
  /**
   * The result.
   *
   * @param interleavedGroups how many groups of requests had to be taken apart
   * @param sortedExtents how many extents these groups had
   */
  public record Reordered(Pieces pieces, int interleavedGroups, long sortedExtents) {}

  /** Requests of fewer extents in the mean are not worth a level of their own. */
  private static final int REQUEST_EXTENTS_MIN = 4;

  private final Requests requests;
  private final ExtentTable extents;
  private final OffsetSort requestOrder;
  private final OffsetSort extentOrder;
  private final NewestWins newestWins;
  private final Pieces pieces;
  private int interleavedGroups;
  private long sortedExtents;

  private Reordering(Requests requests) {
    this.requests = requests;
    extents = requests.table();
    newestWins = new NewestWins(requests);
    requestOrder = sort(requests.count());
    extentOrder = sort(requests.extents());
    pieces = new Pieces(requests.extents());
  }

  /** The extents of all requests in the order of the file, each byte from the newest. */
  public static Reordered reorder(Requests requests) {
    Reordering reordering = new Reordering(requests);
    if (requests.extents() / REQUEST_EXTENTS_MIN < requests.count()) {
      reordering.sortAll();
    } else {
      reordering.sortRequests();
      reordering.stack();
    }
    reordering.pieces.trim();
    return new Reordered(reordering.pieces, reordering.interleavedGroups, reordering.sortedExtents);
  }

  private OffsetSort sort(int entries) {
    if (entries == 0) return OffsetSort.of(0, 0, 0);
    return OffsetSort.of(extents.offset(0), extents.differingBits(), entries - 1);
  }

  private void sortAll() {
    extentOrder.begin(extents.count());
    for (int extent = 0; extent < extents.count(); extent++) {
      extentOrder.add(extents.offset(extent), extent);
    }
    appendSorted();
  }

  private void sortRequests() {
    requestOrder.begin(requests.count());
    for (int request = 0; request < requests.count(); request++) {
      requestOrder.add(extents.offset(requests.firstExtent(request)), request);
    }
    requestOrder.sort();
  }

  /** Scans the requests for those that interleave with earlier ones. */
  private void stack() {
    int from = 0;
    while (from < requestOrder.count()) {
      long end = endOffset(requestOrder.number(from));
      int to = from + 1;
      while (to < requestOrder.count() && requestOrder.offset(to) < end) {
        end = Math.max(end, endOffset(requestOrder.number(to)));
        to++;
      }
      if (to == from + 1) appendWhole(requestOrder.number(from));
      else appendSorted(from, to);
      from = to;
    }
  }

  private long endOffset(int request) {
    return extents.endOffset(requests.endExtent(request) - 1);
  }

  private void appendWhole(int request) {
    int end = requests.endExtent(request);
    for (int extent = requests.firstExtent(request); extent < end; extent++) append(extent);
  }

  private void append(int extent) {
    pieces.append(
        extents.offset(extent),
        extents.lengthBytes(extent),
        extents.source(extent),
        extents.sourceOffset(extent));
  }

  private void appendSorted(int fromRequest, int toRequest) {
    flatten(fromRequest, toRequest);
    appendSorted();
  }

  private void appendSorted() {
    interleavedGroups++;
    sortedExtents += extentOrder.count();
    extentOrder.sort();
    int from = 0;
    while (from < extentOrder.count()) {
      int to = endOfOverlap(from);
      if (to == from + 1) append(extentOrder.number(from));
      else newestWins.resolve(extentOrder, from, to, pieces);
      from = to;
    }
  }

  /** The first place whose extent begins behind all extents between {@code from} and it. */
  private int endOfOverlap(int from) {
    int count = extentOrder.count();
    long end = extents.endOffset(extentOrder.number(from));
    int to = from + 1;
    while (to < count && extentOrder.offset(to) < end) {
      end = Math.max(end, extents.endOffset(extentOrder.number(to)));
      to++;
    }
    return to;
  }

  private void flatten(int fromRequest, int toRequest) {
    int count = 0;
    for (int i = fromRequest; i < toRequest; i++) {
      int request = requestOrder.number(i);
      count += requests.endExtent(request) - requests.firstExtent(request);
    }
    extentOrder.begin(count);
    for (int i = fromRequest; i < toRequest; i++) {
      int request = requestOrder.number(i);
      int end = requests.endExtent(request);
      for (int extent = requests.firstExtent(request); extent < end; extent++) {
        extentOrder.add(extents.offset(extent), extent);
      }
    }
  }
}
