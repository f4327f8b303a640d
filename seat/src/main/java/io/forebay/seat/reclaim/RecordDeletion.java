// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.RecordId;
import io.forebay.base.planted.Planted;
import io.forebay.base.planted.PlantedBug;
import io.forebay.seat.part.Basics;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;

/** Deletes records from this seat's log, at the request of homes. */
public final class RecordDeletion {
  private final Store store;
  private final Planted planted;

  public RecordDeletion(Basics basics) {
    this.store = basics.store();
    this.planted = basics.planted();
  }

  /** Told whether records were dropped. */
  public interface Killed {
    void killed(boolean done);
  }

  /** Drops records here. */
  void kill(List<Data.Dead> dead, Killed killed) {
    List<Scope> scopes = new ArrayList<>();
    long further = planted.is(PlantedBug.KILL_REACHES_NEXT) ? RecordId.ATTEMPTS : 0;
    for (Data.Dead each : dead) {
      scopes.add(
          each.wholeFile()
              ? new Scope.WholeFile(each.file())
              : new Scope.Records(
                  each.session(), each.fromSequence(), each.toSequence() + further));
    }
    if (scopes.size() > store.scopesMax()) {
      int half = dead.size() / 2;
      kill(
          dead.subList(0, half),
          first -> {
            if (first) kill(dead.subList(half, dead.size()), killed);
            else killed.killed(false);
          });
      return;
    }
    Commit commit =
        store.kill(
            scopes, Level.KEPT, answer -> killed.killed(answer instanceof Waiter.Answer.Reached));
    if (commit != Commit.PENDING) killed.killed(commit == Commit.DONE);
  }

  public void killCopies(Connection connection, long request, Data.KillCopies message) {
    kill(
        message.dead(),
        done ->
            connection.send(
                request,
                done
                    ? new Replies.Done()
                    : new Replies.Failed(ErrorCode.BUSY, "no room for a tombstone")));
  }
}
