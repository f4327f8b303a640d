// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.Timers;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.wire.LogPace;
import io.forebay.wire.message.Identity;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives users the groups that the manager's machine knows, within a bounded time. A user whose
 * groups are not known, or not in time, keeps the groups that were proved.
 */
public final class GroupLookup {
  static final long NANOS_MAX = 2_000_000_000L;

  private final UserDirectory directory;
  private final Timers timers;
  private final ManagerEvents events;
  private final LogPace pace;

  public GroupLookup(UserDirectory directory, Timers timers, ManagerEvents events, LogPace pace) {
    this.directory = directory;
    this.timers = timers;
    this.events = events;
    this.pace = pace;
  }

  /**
   * Completes a user.
   *
   * @param answer called once, at once or later
   */
  void complete(Identity proved, Consumer<Identity> answer) {
    Lookup lookup = new Lookup(proved, answer);
    directory.find(proved, lookup::found);
    if (!lookup.over) lookup.limit = timers.after(NANOS_MAX, lookup::late);
  }

  private final class Lookup {
    private final Identity proved;
    private final Consumer<Identity> answer;
    private Timers.@Nullable Timer limit;
    private boolean over;

    Lookup(Identity proved, Consumer<Identity> answer) {
      this.proved = proved;
      this.answer = answer;
    }

    void found(UserDirectory.Found found) {
      if (over) return;
      switch (found) {
        case UserDirectory.Found.Groups known -> end(new Identity(proved.user(), known.groups()));
        case UserDirectory.Found.Unknown unknown -> keep(unknown.why());
      }
    }

    void late() {
      if (over) return;
      keep("this machine did not tell them within " + NANOS_MAX / 1_000_000_000L + " s");
    }

    private void keep(String why) {
      pace.log(
          "groups",
          () ->
              "the groups of user %s are not known: %s; it has the groups %s only"
                  .formatted(Integer.toUnsignedString(proved.user()), why, proved.groups()),
          events::warned);
      end(proved);
    }

    private void end(Identity whole) {
      over = true;
      if (limit != null) limit.cancel();
      answer.accept(whole);
    }
  }
}
