// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.Bytes;
import io.forebay.base.proof.AccessKey;
import io.forebay.base.proof.Capability;
import io.forebay.base.proof.Rights;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.state.AccessBook;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.JobBook;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Principal;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives capabilities to callers that have proved their user, and makes the keys that sign them:
 *
 * <ol>
 *   <li>The first key is made when the manager begins to serve, and another one every {@link
 *       #KEY_SECONDS}, through the log. Seats get the newest two.
 *   <li>A capability is signed with the newest key and expires before that key is two keys old, so
 *       that a seat with the newest keys can verify every capability that has not expired.
 * </ol>
 */
public final class CapabilityDesk {
  /** How long a key signs. */
  public static final long KEY_SECONDS = 10 * 60 * 60;

  /** How long a capability lasts: no longer than a key signs. */
  public static final long CAPABILITY_SECONDS = KEY_SECONDS;

  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final DeskParts parts;
  private final Callers callers;
  private final WallClock wallClock;
  private final RandomGenerator secrets;
  private final BooleanSupplier serving;
  private boolean proposed;

  /** The newest key that seats were told. */
  private int toldId;

  /**
   * Gives nothing yet.
   *
   * @param secrets draws keys; its output must not be predictable
   * @param serving whether the manager decides now
   */
  public CapabilityDesk(
      DeskParts parts,
      Callers callers,
      WallClock wallClock,
      RandomGenerator secrets,
      BooleanSupplier serving) {
    this.parts = parts;
    this.callers = callers;
    this.wallClock = wallClock;
    this.secrets = secrets;
    this.serving = serving;
  }

  /** Looks after the keys from now on. */
  public void start() {
    if (serving.getAsBoolean()) maybeMakeKey();
    parts.timers().after(LOOK_NANOS, this::start);
  }

  private void maybeMakeKey() {
    AccessBook book = parts.state().access();
    AccessBook.Key newest = book.newest();
    long now = nowSeconds();
    boolean due = newest == null || now - newest.madeSeconds() >= KEY_SECONDS;
    if (!due || proposed) return;
    proposed = true;
    AccessKey drawn = AccessKey.draw(book.nextId(), secrets);
    parts
        .decisions()
        .propose(
            new Command.AddAccessKey(new AccessBook.Key(drawn.id(), drawn.bytes(), now)),
            result -> proposed = false,
            why -> proposed = false);
  }

  private long nowSeconds() {
    return wallClock.nanos() / NANOS_PER_SECOND;
  }

  /** Sends new keys to all seats. */
  public void tellKeys() {
    AccessBook.Key newest = parts.state().access().newest();
    if (newest == null || newest.id() == toldId) return;
    toldId = newest.id();
    for (Connection seat : callers.seats()) seat.send(0, keys());
  }

  /** The keys as seats get them. */
  public Access.KeysAre keys() {
    return new Access.KeysAre(
        parts.state().access().keys().stream()
            .map(key -> new Access.Key(key.id(), key.bytes()))
            .toList());
  }

  /** Answers a request for a capability, with the groups that the user has now. */
  public void give(Access.GetCapability request, Caller caller) {
    callers.refresh(caller.connection(), principal -> give(request, caller, principal));
  }

  private void give(Access.GetCapability request, Caller caller, Principal principal) {
    AccessBook.Key key = parts.state().access().newest();
    if (key == null || !serving.getAsBoolean()) {
      caller.fail(ErrorCode.UNAVAILABLE, "the manager has no key yet");
      return;
    }
    Instance instance =
        request.instance().isEmpty() ? null : parts.state().map().instance(request.instance());
    if (!request.instance().isEmpty() && instance == null) {
      caller.fail(ErrorCode.UNKNOWN_INSTANCE, "there is no instance '" + request.instance() + "'");
      return;
    }
    Identity user = InstanceUsers.of(principal, instance);
    if (user == null || (instance != null && !instance.admits(user.user(), user.groups()))) {
      caller.fail(
          ErrorCode.ACCESS_DENIED,
          "instance '%s' does not admit %s".formatted(request.instance(), principal.describe()));
      return;
    }
    if (instance != null && !reaches(principal, instance, request.credential())) {
      caller.fail(
          ErrorCode.ACCESS_DENIED,
          "instance '%s' is for its job alone: use it on the nodes of the job, or with the credential that 'forebay job begin' printed"
              .formatted(request.instance()));
      return;
    }
    Capability capability =
        new Capability(
            key.id(),
            instance == null ? Capability.CLUSTER : instance.id(),
            instance == null ? 0 : instance.tenancy().accessEpoch(),
            user.user(),
            user.groups(),
            rights(principal, user, instance),
            nowSeconds() + CAPABILITY_SECONDS);
    caller.answer(
        new Access.CapabilityIs(key.key().sign(capability), CAPABILITY_SECONDS * NANOS_PER_SECOND));
  }

  /**
   * The instance of a job is for the agents of its nodes and of its batch system, and for holders
   * of the job's credential (P32).
   */
  @Rule("P32")
  private boolean reaches(Principal principal, Instance instance, Bytes credential) {
    if (instance.lifetime() != Instance.Lifetime.JOB || principal.isTrusted()) return true;
    JobBook jobs = parts.state().jobs();
    boolean near =
        principal instanceof Principal.Agent agent && jobs.isReachedFrom(instance, agent.node());
    return near || jobs.isReachedBy(instance, credential);
  }

  private static int rights(Principal principal, Identity user, @Nullable Instance instance) {
    int rights = Rights.OBSERVE;
    if (principal.isTrusted() || principal instanceof Principal.Agent) rights |= Rights.ANY_USER;
    if (instance == null) return rights;
    if (InstanceUsers.mayBeRoot(principal, instance)) rights |= Rights.ROOT;
    boolean administers = principal.isTrusted() || user.user() == instance.owner();
    return rights | Rights.READ | Rights.WRITE | (administers ? Rights.ADMINISTER : 0);
  }
}
