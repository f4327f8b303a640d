// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.backing.location.BackingLocation;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.drain.policy.DrainPolicy;
import io.forebay.drain.policy.KeepPolicy;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.wire.Limit;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which instances can be created, and which group holds their names. Pure. */
public final class InstanceRules {
  static final int NAME_CHARS_MAX = 64;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (NAME_CHARS_MAX - 1) + "}");

  /** The part of the map that the instances of one user may take. */
  private static final int USER_SHARE = 4;

  /** What an instance takes of the map at least, besides its texts. */
  private static final int INSTANCE_BYTES = 128;

  /** The longest that a backing store's address, a policy or any other word may be. */
  static final int SETTING_CHARS_MAX = 4096;

  private InstanceRules() {}

  /** A parsed request, or why it is invalid. */
  public sealed interface Parsed {
    record Understood(Command.CreateInstance command) implements Parsed {}

    record Not(Result.Refused why) implements Parsed {}
  }

  /**
   * Understands a request; 0 copies or stripes of 0 bytes are as many as usual.
   *
   * @param defaultCopies how many copies are usual
   * @param defaultProtection what users may write if the request does not say; empty for no limits
   */
  public static Parsed parse(
      Maps.CreateInstance request, int defaultCopies, String defaultProtection) {
    for (String setting : settings(request)) {
      if (setting.length() <= SETTING_CHARS_MAX) continue;
      return not(
          "a setting of %d characters; at most %d".formatted(setting.length(), SETTING_CHARS_MAX));
    }
    Instance.Lifetime lifetime = constant(Instance.Lifetime.values(), request.lifetime());
    Instance.Access access = constant(Instance.Access.values(), request.access());
    Instance.WhenDegraded whenDegraded =
        constant(Instance.WhenDegraded.values(), request.whenDegraded());
    PlacementSpec.Kind kind = constant(PlacementSpec.Kind.values(), request.placement());
    if (lifetime == null) {
      return not("lifetime '" + request.lifetime() + "' is neither job nor persistent");
    }
    if (access == null) {
      return not("access '" + request.access() + "' is not shared, private or both");
    }
    if (whenDegraded == null) {
      return not("when-degraded '" + request.whenDegraded() + "' is neither continue nor wait");
    }
    if (kind == null) {
      return not("placement '" + request.placement() + "' is not ketama, isolated or stripes");
    }
    Tenancy tenancy = tenancyOf(Tenancy.OPEN, request.permit(), request.root());
    if (tenancy == null) return not(noTenancy(request.permit(), request.root()));
    if (request.expiresSeconds() < 0) {
      return not("it is to expire " + request.expiresSeconds() + " s after 1970");
    }
    if (request.stripeBytes() < 0 || request.stripeWidth() < 0) {
      return not("stripes of " + request.stripeBytes() + " bytes over " + request.stripeWidth());
    }
    String problem = problemWith(request.backing(), request.drain(), request.keep());
    if (problem != null) return not(problem);
    if (request.over() && request.backing().isEmpty()) {
      return not("it is to lie over what a backing store holds, but no store is named");
    }
    if (request.over() && access != Instance.Access.SHARED) {
      return not("what a backing store holds is there for all: ask for shared access");
    }
    String protection =
        request.protection().isBlank() ? defaultProtection : request.protection().strip();
    Result.Refused unprotectable = checkProtection(protection, request.capacityBytes());
    if (unprotectable != null) return new Parsed.Not(unprotectable);
    long stripeBytes =
        request.stripeBytes() == 0 ? PlacementSpec.STRIPE_BYTES_DEFAULT : request.stripeBytes();
    return new Parsed.Understood(
        new Command.CreateInstance(
            request.op(),
            request.name(),
            request.who().user(),
            request.who().primaryGroup(),
            lifetime,
            access,
            request.capacityBytes(),
            request.copies() == 0 ? defaultCopies : request.copies(),
            request.forced(),
            whenDegraded,
            new PlacementSpec(kind, stripeBytes, request.stripeWidth()),
            drainOf(request),
            ProtectionPolicy.of(protection).toString(),
            tenancy.until(request.expiresSeconds()),
            request.pool()));
  }

  private static List<String> settings(Maps.CreateInstance request) {
    return List.of(
        request.name(),
        request.lifetime(),
        request.access(),
        request.whenDegraded(),
        request.placement(),
        request.permit(),
        request.root(),
        request.backing(),
        request.drain(),
        request.keep(),
        request.protection(),
        request.pool());
  }

  /**
   * With other users.
   *
   * @param permit which ones; empty to leave it
   * @param root what root of client machines is; empty to leave it
   * @return null if a word is unknown
   */
  static @Nullable Tenancy tenancyOf(Tenancy before, String permit, String root) {
    Tenancy.Permit users =
        permit.isEmpty() ? before.permit() : constant(Tenancy.Permit.values(), permit);
    Tenancy.Root roots = root.isEmpty() ? before.root() : constant(Tenancy.Root.values(), root);
    return users == null || roots == null ? null : before.withPermit(users).withRoot(roots);
  }

  /** Why there is no such {@link #tenancyOf}. */
  static String noTenancy(String permit, String root) {
    boolean users = permit.isEmpty() || constant(Tenancy.Permit.values(), permit) != null;
    return users
        ? "root '" + OfferRules.shown(root) + "' is neither squash nor allow"
        : "permit '" + OfferRules.shown(permit) + "' is not owner, group or everyone";
  }

  /** Without a word on it, files are drained when they are closed, and when the instance ends. */
  private static DrainSpec drainOf(Maps.CreateInstance request) {
    boolean usual = !request.backing().isEmpty() && request.drain().isEmpty();
    String policy = usual ? DrainPolicy.DEFAULT.toString() : request.drain();
    return new DrainSpec(request.backing(), policy, request.keep(), request.over(), false);
  }

  /** Why an instance of that capacity cannot be protected so, or null. */
  public static Result.@Nullable Refused checkProtection(String text, long capacityBytes) {
    if (text.length() > SETTING_CHARS_MAX) {
      return invalid(
          "a setting of %d characters; at most %d".formatted(text.length(), SETTING_CHARS_MAX));
    }
    try {
      if (ProtectionPolicy.parse(text).suits(capacityBytes)) return null;
    } catch (IllegalArgumentException e) {
      return invalid(String.valueOf(e.getMessage()));
    }
    return invalid(
        "'%s' limits writes to a multiple of the capacity, and the instance has no capacity; give it one, or write a size such as window=2TiB/24h"
            .formatted(text));
  }

  /** Whether an instance is drained before it goes. */
  public static boolean isDrainedAtEnd(Instance instance) {
    return !instance.drain().isNone() && DrainPolicy.of(instance.drain().policy()).atEnd();
  }

  /** Why files cannot be drained there with that policy, as a sentence, or null. */
  private static @Nullable String problemWith(String backing, String policy, String keep) {
    if (backing.isEmpty() && !policy.isEmpty()) {
      return "policy '" + policy + "' says when files are drained, but no backing store says where";
    }
    if (backing.isEmpty() && !keep.isEmpty()) {
      return "'"
          + keep
          + "' says what stays when it is drained, but no backing store says where to";
    }
    try {
      if (!backing.isEmpty()) BackingLocation.parse(backing).requireKnown();
      if (!policy.isEmpty()) DrainPolicy.parse(policy);
      KeepPolicy.parse(keep);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private static Parsed not(String sentence) {
    return new Parsed.Not(new Result.Refused(ErrorCode.INVALID, sentence));
  }

  private static <E extends Enum<E>> @Nullable E constant(E[] constants, String word) {
    for (E each : constants) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) return each;
    }
    return null;
  }

  /** Why an instance cannot be made, or null; {@link AllocationRules} checks its capacity. */
  static Result.@Nullable Refused check(Command.CreateInstance create, RingMap map) {
    boolean ofJob = create.lifetime() == Instance.Lifetime.JOB;
    if (!ofJob && create.name().startsWith(JobRules.INSTANCE_PREFIX)) {
      return invalid(
          "'%s' is a name of a job's own instance; choose one that does not begin with '%s'"
              .formatted(create.name(), JobRules.INSTANCE_PREFIX));
    }
    // The name of a job's instance follows from its token.
    if (!ofJob && !isName(create.name())) {
      return invalid(
          "'"
              + create.name()
              + "' is no name for an instance: use 1 to "
              + NAME_CHARS_MAX
              + " letters, digits, dots, dashes and underscores, a letter or digit first");
    }
    if (map.instance(create.name()) != null) {
      return new Result.Refused(
          ErrorCode.EXISTS, "there is an instance '" + create.name() + "' already");
    }
    if (create.copies() < 1
        || create.copies() > Math.min(here(map.seats()).size(), GroupId.COPIES_MAX)) {
      return invalid(copiesSentence(create.copies(), map.seats()));
    }
    if (isFull(map)) {
      return new Result.Refused(ErrorCode.NO_SPACE, "the map has no room for another instance");
    }
    return ofJob ? null : checkShare(create.owner(), map);
  }

  /** Why a user gets no other instance, or null. */
  static Result.@Nullable Refused checkShare(int owner, RingMap map) {
    if (!isShareUsedUp(owner, map)) return null;
    return new Result.Refused(
        ErrorCode.NO_SPACE,
        "user %s has as many instances as one user may have; destroy some"
            .formatted(Integer.toUnsignedString(owner)));
  }

  /** Whether a user has its share of instances; root has no limit. */
  public static boolean isShareUsedUp(int owner, RingMap map) {
    return owner != Identity.ROOT && Share.of(owner, map).isUsedUp();
  }

  /** What instances of a user take. */
  private record Share(long count, long bytes) {
    static Share of(int owner, RingMap map) {
      long count = 0;
      long bytes = 0;
      for (Instance instance : map.instances()) {
        if (instance.owner() != owner) continue;
        count++;
        bytes += INSTANCE_BYTES + instance.name().length() + instance.protection().length();
        DrainSpec drain = instance.drain();
        bytes += drain.backing().length() + drain.policy().length() + drain.keep().length();
      }
      return new Share(count, bytes);
    }

    boolean isUsedUp() {
      return count >= Limit.INSTANCES_PER_USER.value()
          || bytes >= WireLimits.MAP_BYTES_MAX / USER_SHARE;
    }
  }

  /** Whether a text may be the name of an instance or a pool. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether the map can grow no more; each addition is far shorter than a map. */
  public static boolean isFull(RingMap map) {
    return RingMapCodec.write(map).length() > WireLimits.MAP_BYTES_MAX;
  }

  /** The seats that are here to stay. */
  static List<SeatEntry> here(List<SeatEntry> seats) {
    return seats.stream().filter(seat -> seat.stay() == SeatEntry.Stay.HERE).toList();
  }

  static String copiesSentence(int copies, List<SeatEntry> seats) {
    if (copies < 1 || copies > GroupId.COPIES_MAX) {
      return copies + " copies: between 1 and " + GroupId.COPIES_MAX + " can be kept";
    }
    return copies
        + " copies need as many seats, and the ring has "
        + here(seats).size()
        + "; add servers or ask for fewer copies";
  }

  static Result.@Nullable Refused checkForced(List<SeatEntry> seats) {
    for (SeatEntry seat : seats) {
      if (seat.ssdBytes() > 0) continue;
      return invalid(
          seat.id()
              + " on server "
              + seat.server()
              + " has no SSD, so nothing can be forced there; ask for replicated writes, or give"
              + " every seat an SSD directory");
    }
    return null;
  }

  /**
   * The group with the fewest roots of trees, among those that can serve if there are any.
   *
   * @param seats the seats of the instance
   */
  static GroupId rootGroup(RingMap map, int copies, List<SeatId> seats) {
    Set<SeatId> own = new HashSet<>(seats);
    Map<SeatId, Integer> roots = new HashMap<>();
    for (Instance instance : map.instances()) {
      roots.merge(instance.rootGroup().origin(), 1, Integer::sum);
    }
    GroupId best = null;
    int least = Integer.MAX_VALUE;
    for (SeatEntry seat : map.seats()) {
      Group group = map.group(GroupId.of(seat.id(), copies));
      if (group == null || !own.contains(seat.id())) continue;
      int load = roots.getOrDefault(seat.id(), 0);
      // One that cannot serve comes behind all that can.
      if (!group.members().getFirst().current()) load += map.instances().size() + 1;
      if (load < least) {
        best = group.id();
        least = load;
      }
    }
    if (best == null) throw new IllegalStateException("no groups of " + copies + " copies");
    return best;
  }

  private static Result.Refused invalid(String sentence) {
    return new Result.Refused(ErrorCode.INVALID, sentence);
  }

  static Instance with(Instance instance, Command.SetAccess set) {
    Tenancy tenancy = InstanceRules.tenancyOf(instance.tenancy(), set.permit(), set.root());
    return tenancy == null ? instance : instance.withTenancy(tenancy.revoked());
  }
}
