// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.SimulatedMachine.Calls;
import io.forebay.bench.geos5.model.SimulatedMachine.Copies;
import io.forebay.bench.geos5.model.SimulatedMachine.Store;
import java.util.HashMap;
import java.util.Map;

/**
 * A parallel file system with a cache on every node. A write returns when its bytes are in the
 * cache; the cache is brought to the store meanwhile, at the least of the rates of the node, the
 * file and the store, and a full one makes writes wait. Calls wait on the simulated clock.
 */
final class SimulatedStore {
  /** A node's right to write its part of a block. */
  private record Token(long block, int node) {}

  /** A file and what serves it. */
  private static final class Served {
    long bytesDoneNanos;
    long tokensDoneNanos;
    final Map<Token, Long> tokens = new HashMap<>();
  }

  private final VirtualTime time;
  private final Store store;
  private final Copies copies;
  private final Map<String, Served> files = new HashMap<>();
  private final Map<Integer, Long> nodeDoneNanos = new HashMap<>();
  private long storeDoneNanos;
  private long metadataDoneNanos;

  SimulatedStore(VirtualTime time, SimulatedMachine machine) {
    this.time = time;
    store = machine.store();
    copies = machine.copies();
  }

  private Calls calls() {
    return store.calls();
  }

  /** Creates a file, for one process. */
  void create() {
    metadata(calls().createNanos());
  }

  /** Opens a file that other processes have open too. */
  void open() {
    metadata(calls().openNanos());
  }

  /** Renames or removes a file. */
  void rename() {
    metadata(calls().createNanos());
  }

  private void metadata(long nanos) {
    catchUp();
    metadataDoneNanos = Math.max(metadataDoneNanos, time.now()) + nanos;
    time.sleepUntil(metadataDoneNanos);
  }

  /** Writes bytes that are contiguous in the file. */
  void write(int node, String file, long bytes) {
    catchUp();
    long flushed = flush(node, served(file), bytes);
    long inCache =
        time.now() + calls().writeNanos() + SimulatedMachine.nanos(bytes, copies.bytesPerSecond());
    long room = SimulatedMachine.nanos(store.cacheBytes(), store.nodeBytesPerSecond());
    time.sleepUntil(Math.max(inCache, flushed - room));
  }

  /**
   * Writes pieces of a block of a file that other nodes write, too. Each node has to get a token
   * for its part of the block first.
   */
  void writePieces(int node, String file, long block, long pieces, long bytes) {
    catchUp();
    Served served = served(file);
    Long token = served.tokens.get(new Token(block, node));
    if (token == null) {
      token = Math.max(served.tokensDoneNanos, time.now()) + calls().tokenNanos();
      served.tokensDoneNanos = token;
      served.tokens.put(new Token(block, node), token);
    }
    time.sleepUntil(token);
    time.spend(pieces * calls().rowNanos());
    write(node, file, bytes);
  }

  private Served served(String file) {
    return files.computeIfAbsent(file, name -> new Served());
  }

  /** Reserves all that bytes pass on their way out of the cache; returns when they are stored. */
  private long flush(int node, Served file, long bytes) {
    long now = time.now();
    long nodeDone = Math.max(now, nodeDoneNanos.getOrDefault(node, 0L));
    nodeDone += SimulatedMachine.nanos(bytes, store.nodeBytesPerSecond());
    nodeDoneNanos.put(node, nodeDone);
    file.bytesDoneNanos =
        Math.max(now, file.bytesDoneNanos)
            + SimulatedMachine.nanos(bytes, store.fileBytesPerSecond());
    storeDoneNanos =
        Math.max(now, storeDoneNanos) + SimulatedMachine.nanos(bytes, store.bytesPerSecond());
    return Math.max(nodeDone, Math.max(file.bytesDoneNanos, storeDoneNanos));
  }

  /** What is reserved is reserved in the order of time. */
  private void catchUp() {
    time.sleepUntil(time.nanos());
  }
}
