// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import io.forebay.base.rule.Rule;
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

  public RecordDeletion(Basics basics) {
    this.store = basics.store();
  }

  /** Told whether records were dropped. */
  public interface Killed {
    void killed(boolean done);
  }

  /** Drops records here. */
  void kill(List<Data.Dead> dead, Killed killed) {
    List<Scope> scopes = new ArrayList<>();
    for (Data.Dead each : dead) scopes.add(scopeOf(each));
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

  /** Exactly what is dead is dropped, since the next records may be acknowledged (P5). */
  @Rule("P5")
  private static Scope scopeOf(Data.Dead dead) {
    return dead.wholeFile()
        ? new Scope.WholeFile(dead.file())
        : new Scope.Records(dead.session(), dead.fromSequence(), dead.toSequence());
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
