// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.base.Timers;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Enters whole files into the tree, many with one change while the home is busy.
 *
 * <ol>
 *   <li>While fewer than {@link #CHANGES_MAX} changes are unanswered, a file is sent at once.
 *   <li>Otherwise it waits. An answer sends the files that wait, up to {@link Names#FILES_PUT_MAX}
 *       with one change.
 *   <li>A file fails when the home has answered nothing for the time of an operation, of which its
 *       wait is a part: it does not wait again once the change before it has given up.
 *   <li>A file that was refused among others is sent again alone: that answer has the reason.
 * </ol>
 *
 * The client's thread.
 */
final class FilePuts {
  /** Changes under way: the home applies one while the next is on its way. */
  private static final int CHANGES_MAX = 4;

  /** The most that one change takes, apart from a file that is sent alone. */
  private static final int BYTES_MAX = 32 * 1024;

  /** More are refused. */
  private static final int WAITING_MAX = 64 * 1024;

  private static final int PIECE_BYTES = 32;
  private static final int FILE_BYTES = 48;
  private static final int CHAR_BYTES_MAX = 3;

  private record Put(
      Identity who, Names.PutFile file, long sinceNanos, CompletableFuture<Void> done) {
    int bytesMax() {
      return FILE_BYTES
          + CHAR_BYTES_MAX * file.path().length()
          + PIECE_BYTES * file.pieces().size();
    }
  }

  private final Timers timers;
  private final TreeSession session;
  private final Queue<Put> waiting = new ArrayDeque<>();
  private int changes;

  FilePuts(Timers timers, TreeSession session) {
    this.timers = timers;
    this.session = session;
  }

  /** Enters a file whose pieces are all acknowledged. */
  CompletableFuture<Void> put(Identity who, Names.PutFile file) {
    if (waiting.size() >= WAITING_MAX) {
      return CompletableFuture.failedFuture(
          new RequestFailed(ErrorCode.BUSY, "more than " + WAITING_MAX + " files wait"));
    }
    Put put = new Put(who, file, timers.nanos(), new CompletableFuture<>());
    waiting.add(put);
    sendWaiting();
    return put.done;
  }

  private void sendWaiting() {
    while (changes < CHANGES_MAX && !waiting.isEmpty()) {
      changes++;
      send(next());
    }
  }

  /** The files of the next change: all of one user, since a change has one. */
  private List<Put> next() {
    List<Put> batch = new ArrayList<>();
    Put first = waiting.remove();
    batch.add(first);
    long bytes = first.bytesMax();
    while (batch.size() < Names.FILES_PUT_MAX) {
      Put each = waiting.peek();
      if (each == null || !each.who.equals(first.who)) break;
      bytes += each.bytesMax();
      if (bytes > BYTES_MAX) break;
      batch.add(waiting.remove());
    }
    return batch;
  }

  private void send(List<Put> batch) {
    Put first = batch.get(0);
    if (batch.size() == 1) {
      sendAlone(first);
      return;
    }
    Names.PutFiles change = new Names.PutFiles(batch.stream().map(Put::file).toList());
    Futures.then(
        session.change(first.who, change, Names.FilesPut.class, first.sinceNanos),
        answer -> {
          answered();
          ended(batch, answer.versions());
        },
        failure -> {
          answered();
          for (Put put : batch) put.done.completeExceptionally(failure);
        });
  }

  private void answered() {
    changes--;
    sendWaiting();
  }

  private void ended(List<Put> batch, List<Long> versions) {
    for (int i = 0; i < batch.size(); i++) {
      Put put = batch.get(i);
      if (i < versions.size() && isEntered(versions.get(i))) {
        put.done.complete(null);
      } else {
        changes++;
        sendAlone(put);
      }
    }
  }

  /** Versions of files count from 1. */
  private static boolean isEntered(long version) {
    return version > 0;
  }

  private void sendAlone(Put put) {
    Futures.then(
        session.change(put.who, put.file, Names.Published.class, put.sinceNanos),
        published -> {
          answered();
          put.done.complete(null);
        },
        (RequestFailed failure) -> {
          answered();
          put.done.completeExceptionally(failure);
        });
  }
}
