// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A backing store for a loop: requests are carried out asynchronously and in parallel. Each is
 * answered by its {@link Completion}, which runs inside {@link #poll} on the owner's thread.
 * Requests have no order: an owner that needs one waits for each answer before it sends the next.
 * {@link BackingStore} defines the requests.
 *
 * <p>Buffers given to a request belong to the backing until it is answered. The implementation
 * decides when and where {@link #submit} carries an operation out, and on which store.
 */
public interface Backing extends AutoCloseable {
  /** The results of a request. */
  sealed interface Answer<T> {
    record Done<T>(T value) implements Answer<T> {}

    record Failed<T>(BackingFailure failure) implements Answer<T> {}
  }

  /** The value of requests that have none. */
  enum Nothing {
    NOTHING
  }

  /** Called once, from {@link #poll}. */
  interface Completion<T> {
    void completed(Answer<T> answer);
  }

  /** A request to the store; runs on a thread that may block. */
  interface Operation<T> {
    T on(BackingStore store) throws BackingException;
  }

  /** An operation without a value. */
  interface Action {
    void on(BackingStore store) throws BackingException;
  }

  /** The kind and place of the store, for messages. */
  String description();

  Capabilities capabilities();

  /**
   * Has an operation carried out. The named methods below are this; use it for what consists of
   * several calls that belong together.
   */
  <T> void submit(Operation<T> operation, Completion<T> completion);

  /** Runs the completions that are due on the caller's thread and says how many there were. */
  int poll();

  /** Requests not yet answered. */
  int pending();

  /** How many more requests may be sent now; exceeding it is a mistake of the owner. */
  int room();

  /**
   * Waits until a completion is due, at most this long; for owners with nothing else to wait for.
   */
  void await(long timeoutNanos) throws InterruptedException;

  /** Drops pending requests, without answers, and releases all resources. */
  @Override
  void close();

  /** An action, answered with nothing. */
  default void run(Action action, Completion<Nothing> completion) {
    submit(
        store -> {
          action.on(store);
          return Nothing.NOTHING;
        },
        completion);
  }

  default void check(Completion<Nothing> completion) {
    run(BackingStore::check, completion);
  }

  default void begin(AttemptPlan plan, Completion<Attempt> completion) {
    submit(store -> store.begin(plan), completion);
  }

  default void write(
      Attempt attempt, long offset, List<ByteBuffer> source, Completion<Nothing> completion) {
    run(store -> store.write(attempt, offset, source), completion);
  }

  default void force(Attempt attempt, Completion<Nothing> completion) {
    run(store -> store.force(attempt), completion);
  }

  default void release(Attempt attempt, Completion<Nothing> completion) {
    run(store -> store.release(attempt), completion);
  }

  default void commit(Attempt attempt, BackingPath name, Completion<List<String>> completion) {
    submit(store -> store.commit(attempt, name), completion);
  }

  default void look(Attempt attempt, BackingPath name, Completion<Sighting> completion) {
    submit(store -> store.look(attempt, name), completion);
  }

  default void abort(Attempt attempt, Completion<Nothing> completion) {
    run(store -> store.abort(attempt), completion);
  }

  default void leftovers(BackingPath directory, Completion<List<Leftover>> completion) {
    submit(store -> store.leftovers(directory), completion);
  }

  default void remove(Leftover leftover, Completion<Nothing> completion) {
    run(store -> store.remove(leftover), completion);
  }

  default void stat(BackingPath path, Completion<BackingFile> completion) {
    submit(store -> store.stat(path), completion);
  }

  default void read(
      BackingPath path,
      String version,
      long offset,
      ByteBuffer target,
      Completion<Integer> completion) {
    submit(store -> store.read(path, version, offset, target), completion);
  }

  default void checksum(
      BackingPath path, String version, long offset, long bytes, Completion<Integer> completion) {
    submit(store -> store.checksum(path, version, offset, bytes), completion);
  }

  /** The checksum of bytes that were written to an attempt. */
  default void checksum(Attempt attempt, long offset, long bytes, Completion<Integer> completion) {
    submit(store -> store.checksum(attempt, offset, bytes), completion);
  }

  /** The listing's own calls block: have them carried out by {@link #submit}. */
  default void list(BackingPath directory, Completion<Listing> completion) {
    submit(store -> store.list(directory), completion);
  }

  default void makeDirectory(
      BackingPath path, FileAttributes attributes, Completion<Nothing> completion) {
    run(store -> store.makeDirectory(path, attributes), completion);
  }

  default void removeDirectory(BackingPath path, Completion<Nothing> completion) {
    run(store -> store.removeDirectory(path), completion);
  }

  default void delete(BackingPath path, String version, Completion<Nothing> completion) {
    run(store -> store.delete(path, version), completion);
  }

  default void rename(BackingPath from, BackingPath to, Completion<Nothing> completion) {
    run(store -> store.rename(from, to), completion);
  }

  default void makeSymlink(BackingPath path, String target, Completion<Nothing> completion) {
    run(store -> store.makeSymlink(path, target), completion);
  }

  default void readSymlink(BackingPath path, Completion<String> completion) {
    submit(store -> store.readSymlink(path), completion);
  }
}
