// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request until it is answered or its deadline has passed. The {@link Request} decides
 * what is sent to which server, and what an answer means:
 *
 * <ol>
 *   <li>{@link #start} begins the first try, and with it the deadline.
 *   <li>In each try the request sends itself to the server that the map names at that time. Answers
 *       to an earlier try are ignored ({@link Try#isCurrent}).
 *   <li>{@link #atOnce}: a redirect begins the next try without a wait, and so does a map that
 *       gives the group another home ({@link #mapChanged}).
 *   <li>{@link #again}: after a refusal or a lost answer the deadline is checked first. It counts
 *       from the last progress ({@link #unanswered}, {@link #asksHome}, {@link #progressed}). If it
 *       has passed, the request fails with the reason of this last try.
 *   <li>Otherwise the request chooses where the next try goes, and {@link Next} says how long that
 *       one waits.
 *   <li>{@link #hurry}: the next try begins without the rest of its wait.
 *   <li>{@link #end}: the request has its answer, or failed; no try begins any more.
 * </ol>
 */
public final class Retry {
  /** How many failures in a row may each be followed by a try at another group without a wait. */
  public static final int OTHER_GROUPS_AT_ONCE_MAX = 4;

  /** The part that is particular to a request. */
  public interface Request {
    /** Sends it; what comes back counts only while the try is the current one. */
    void send(Try now);

    /**
     * The deadline is over; the retry has ended.
     *
     * @param why the failure of the last try
     * @param triedNanos how long it was tried
     */
    void givenUp(String why, long triedNanos);
  }

  /** The target of the next try, which decides how long it waits. */
  public enum Next {
    /** To the same server, or to its successor as home of the same group: after the backoff. */
    SAME,
    /**
     * To another member that may have the same record: at once. Only a round through all members,
     * which ends with {@link #SAME}, counts as a failure.
     */
    OTHER_MEMBER,
    /**
     * To another group: at once, but each counts as a failure, and after {@link
     * #OTHER_GROUPS_AT_ONCE_MAX} of them the backoff holds here too: the whole ring is in trouble.
     */
    OTHER_GROUP
  }

  /** Told that something waits, since when, and why. */
  @FunctionalInterface
  public interface Waiting {
    void waits(long sinceNanos, String why);
  }

  /** The shared parts of a client's requests. */
  public record Ground(Timers timers, Backoff backoff, Waiting waiting) {}

  private enum State {
    UNSTARTED,
    /** A try is under way. */
    ASKING,
    /** The next try waits for its time. */
    WAITING,
    OVER
  }

  /** One try. */
  public final class Try {
    private final int number;

    private Try(int number) {
      this.number = number;
    }

    /** Whether what arrives for it still counts. */
    public boolean isCurrent() {
      return number == tries;
    }
  }

  private final Ground ground;
  private final long allowedNanos;
  private final Request request;
  private Deadline deadline;
  private State state = State.UNSTARTED;

  /** Counts the tries, and everything else after which the last one is no longer current. */
  private int tries;

  private int failures;
  private long askedNanos;
  private @Nullable SeatId asked;

  /**
   * A request that is not sent yet.
   *
   * @param allowedNanos how long it is tried without progress
   */
  public Retry(Ground ground, long allowedNanos, Request request) {
    this.ground = ground;
    this.allowedNanos = allowedNanos;
    this.request = request;
    this.deadline = new Deadline(ground.timers(), allowedNanos, ground.timers().nanos());
  }

  /** Begins the first try. */
  public void start() {
    start(ground.timers().nanos());
  }

  /** The same for a request that has been awaited since a time that may be past. */
  public void start(long sinceNanos) {
    if (state != State.UNSTARTED) throw new IllegalStateException("started already: " + state);
    deadline = new Deadline(ground.timers(), allowedNanos, sinceNanos);
    atOnce();
  }

  /** Since when it is tried. */
  public long startNanos() {
    return deadline.startNanos();
  }

  /** Whether a try is under way. */
  public boolean isAsking() {
    return state == State.ASKING;
  }

  /** Whether it has ended. */
  public boolean isOver() {
    return state == State.OVER;
  }

  /** When the last try began. */
  public long askedNanos() {
    return askedNanos;
  }

  /** The home that was asked last, or null. */
  public @Nullable SeatId asked() {
    return asked;
  }

  /** Begins the next try now, in place of one that is under way or waits. */
  public void atOnce() {
    if (state == State.OVER) throw new IllegalStateException("a try of a request that has ended");
    state = State.ASKING;
    askedNanos = ground.timers().nanos();
    request.send(new Try(++tries));
  }

  /** The current try goes to the home of this group. A group with another epoch is progress. */
  public void asksHome(Group group) {
    asked = group.home();
    deadline.atEpoch(group.id(), group.epoch());
  }

  /** By a new map the group, if there is one, looks like this: another home is asked at once. */
  public void mapChanged(@Nullable Group group) {
    if (state == State.OVER || group == null || asked == null) return;
    if (!group.home().equals(asked)) atOnce();
  }

  /**
   * The current try has no answer, or none yet. It is progress if the server has worked for this
   * client since it was asked.
   */
  public void unanswered(long livedNanos) {
    deadline.unanswered(askedNanos, livedNanos);
  }

  /** Something showed at that time that the request may succeed. */
  public void progressed(long nanos) {
    deadline.progressed(nanos);
  }

  /** The try has failed: sends again after the backoff, or gives up. */
  public void again(String why) {
    again(why, () -> Next.SAME);
  }

  /**
   * The try has failed: sends again, or gives up.
   *
   * @param next chooses where the next try goes; asked only if there is one
   */
  public void again(String why, Supplier<Next> next) {
    if (deadline.isOver()) {
      end();
      request.givenUp(why, deadline.triedNanos());
      return;
    }
    ground.waiting().waits(deadline.startNanos(), why);
    int waited = ++tries;
    state = State.WAITING;
    ground
        .timers()
        .after(
            waitNanos(next.get()),
            () -> {
              if (waited == tries) atOnce();
            });
  }

  private long waitNanos(Next next) {
    return switch (next) {
      case SAME -> ground.backoff().nanos(++failures);
      case OTHER_MEMBER -> 0;
      case OTHER_GROUP ->
          ++failures <= OTHER_GROUPS_AT_ONCE_MAX ? 0 : ground.backoff().nanos(failures);
    };
  }

  /** Whatever made the last try fail may be over: a try that waits begins now. */
  public void hurry() {
    if (state == State.WAITING) atOnce();
  }

  /** No try begins any more, and what arrives for the last one is ignored. */
  public void end() {
    tries++;
    state = State.OVER;
  }
}
