// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import java.util.Arrays;

/**
 * Decides which of several overlapping extents supplies each byte: moves along the file, with the
 * extents at the current position in a heap, the newest on top.
 */
final class NewestWins {
  private final Requests requests;
  private final ExtentTable extents;
  private int[] heap = new int[16];
  private int[] heapRequests = new int[16];
  private int size;

  NewestWins(Requests requests) {
    this.requests = requests;
    this.extents = requests.table();
  }

  /** Appends what counts of the extents at those places of the order. */
  void resolve(OffsetSort order, int from, int to, Pieces out) {
    int next = from;
    long at = order.offset(from);
    while (true) {
      while (next < to && order.offset(next) <= at) push(order.number(next++));
      while (size > 0 && extents.endOffset(heap[0]) <= at) pop();
      if (size == 0) {
        if (next == to) return;
        at = order.offset(next);
        continue;
      }
      int newest = heap[0];
      long until = extents.endOffset(newest);
      if (next < to) until = Math.min(until, order.offset(next));
      long skippedBytes = at - extents.offset(newest);
      out.append(
          at,
          (int) (until - at),
          extents.source(newest),
          extents.sourceOffset(newest) + skippedBytes);
      at = until;
    }
  }

  private void push(int extent) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, ExtentTable.grown(size));
      heapRequests = Arrays.copyOf(heapRequests, heap.length);
    }
    int request = requests.requestOf(extent);
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) / 2;
      if (!requests.isNewer(request, heapRequests[parent])) break;
      heap[place] = heap[parent];
      heapRequests[place] = heapRequests[parent];
      place = parent;
    }
    heap[place] = extent;
    heapRequests[place] = request;
  }

  private void pop() {
    size--;
    int extent = heap[size];
    int request = heapRequests[size];
    int place = 0;
    while (true) {
      int child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && requests.isNewer(heapRequests[child + 1], heapRequests[child])) {
        child++;
      }
      if (!requests.isNewer(heapRequests[child], request)) break;
      heap[place] = heap[child];
      heapRequests[place] = heapRequests[child];
      place = child;
    }
    heap[place] = extent;
    heapRequests[place] = request;
  }
}
