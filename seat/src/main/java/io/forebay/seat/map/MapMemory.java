// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.seat.part.Basics;
import io.forebay.wire.message.Maps;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The map that a seat follows and its identity, recorded before they have any effect, so that no
 * restart goes back behind them (P16).
 */
public final class MapMemory {
  /** The seat, which follows a map once it is written down. */
  public interface Follower {
    void follow(RingMap newer);

    /** The groups that this process follows, or has left after it granted a lease. */
    Set<GroupId> groups();

    /**
     * Whether one of {@link #groups} may have a lease for another home than the next one.
     *
     * @param home the next home, or null if the group is no longer in the map
     */
    boolean mayHavePromisedAgainst(GroupId group, @Nullable SeatId home);
  }

  private final Basics basics;
  private final FollowedMap followed;
  private final Follower follower;
  private final MemoryKeeper keeper;
  private final boolean survived;
  private final Runnable lossKept;
  private final EndedRecords ended;
  private final PromisedGroups promised = new PromisedGroups();

  private long incarnation;
  private Bytes mapBytes = Bytes.EMPTY;

  /** The newest map that has been or is being written down. */
  private Bytes keptBytes = Bytes.EMPTY;

  private @Nullable RingMap remembered;
  private long keepingEpoch;

  /**
   * Nothing is read yet.
   *
   * @param survived whether everything that the log ever kept still exists (P11)
   * @param lossKept called when the seat's new incarnation is recorded after a loss
   */
  public MapMemory(
      Basics basics, FollowedMap followed, Follower follower, boolean survived, Runnable lossKept) {
    this.basics = basics;
    this.followed = followed;
    this.follower = follower;
    this.keeper = new MemoryKeeper(basics.store(), basics.timers());
    this.ended = new EndedRecords(basics.store());
    this.survived = survived;
    this.lossKept = lossKept;
  }

  /** Restores the identity of the seat. */
  public void load(Runnable ready) {
    keeper.load((found, problem) -> loaded(found, problem, ready));
  }

  private void loaded(@Nullable SeatMemory found, @Nullable String problem, Runnable ready) {
    if (problem != null) {
      basics.events().warned(problem + "; the seat starts as a new one");
      promised.recordIsLost();
    }
    if (found != null && staysTheSame()) {
      incarnation = found.incarnation();
      restore(found);
      ready.run();
      return;
    }
    incarnation = newIncarnation();
    if (found != null) restore(found);
    keeper.keep(
        SeatMemory.of(incarnation, mapBytes, ended.dropped(), promised.all()),
        () -> {
          lossKept.run();
          ready.run();
        });
  }

  /** An incarnation survives a restart only if everything that it acknowledged has (P11). */
  @Rule("P11")
  private boolean staysTheSame() {
    return survived;
  }

  private long newIncarnation() {
    long drawn = basics.random().nextLong();
    return drawn == 0 ? 1 : drawn;
  }

  /**
   * Continues from the restored state, but enters no group: messages of the epoch of the previous
   * process may still be in flight. The manager raises the epochs of a restarted seat.
   */
  private void restore(SeatMemory found) {
    ended.restore(found.dropped());
    if (found.map().length() > 0) {
      try {
        remembered = RingMapCodec.read(found.map());
        mapBytes = found.map();
        keptBytes = mapBytes;
        followed.become(remembered, mapBytes);
      } catch (MalformedFields e) {
        basics.events().warned("the map this seat remembers is damaged: " + e.getMessage());
        promised.recordIsLost();
      }
    }
    promised.restore(found.promised(), remembered);
  }

  /** A map from the manager or from another seat; if it is newer the seat will follow it. */
  public void arrived(Maps.MapIs message) {
    if (message.map().length() == 0) return;
    RingMap newer;
    try {
      newer = RingMapCodec.read(message.map());
    } catch (MalformedFields e) {
      basics.events().warned("a map from the manager is unusable: " + e.getMessage());
      return;
    }
    RingMap known = followed.map();
    if (known != null && newer.cluster() != known.cluster()) {
      basics
          .events()
          .warned(
              "a map of another cluster, " + Long.toHexString(newer.cluster()) + ", was refused");
      return;
    }
    long knownEpoch = Math.max(keepingEpoch, known == null ? 0 : known.epoch());
    if (!isNewer(newer.epoch(), knownEpoch)) return;
    keepingEpoch = newer.epoch();
    Bytes bytes = message.map();
    keptBytes = bytes;
    long sinceStartNanos = basics.timers().nanos() - basics.self().startedNanos();
    promised.note(newer, follower, sinceStartNanos);
    keeper.keep(
        SeatMemory.of(incarnation, bytes, ended.dropped(), promised.all()),
        () -> {
          RingMap now = followed.map();
          if (now != null && !isNewer(newer.epoch(), now.epoch())) return;
          mapBytes = bytes;
          followed.become(newer, bytes);
          follower.follow(newer);
        });
  }

  /** A seat follows maps of rising epochs only (P16). */
  @Rule("P16")
  private static boolean isNewer(long epoch, long knownEpoch) {
    return epoch > knownEpoch;
  }

  /** Deletes what ended instances held; without room it is tried again at the next call. */
  public void dropEnded() {
    RingMap known = followed.map();
    if (known == null || !ended.drop(known.ended())) return;
    // With the newest map: an older one would replace the one that is followed.
    keeper.keep(SeatMemory.of(incarnation, keptBytes, ended.dropped(), promised.all()), () -> {});
  }

  public void poll() {
    keeper.poll();
  }

  public long incarnation() {
    return incarnation;
  }

  /** The group as the process before knew it, or null. */
  public @Nullable Group before(GroupId group) {
    return remembered == null ? null : remembered.group(group);
  }

  /**
   * The highest map that the previous process may have followed; 0 if unknown, or if it was not
   * forced when it was followed.
   */
  public long followedBefore() {
    boolean lasts = basics.store().config().hasSsd();
    return remembered == null || !lasts ? 0 : remembered.epoch();
  }

  /** Whether the process before may have granted a lease to a home that is none any more. */
  public boolean hasPromised(GroupId group) {
    return promised.has(group);
  }
}
