// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.ByteSize;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.seat.manager.pool.Dealing;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which capacities instances can get of which pools. Pure. */
final class AllocationRules {
  /** A granule of less would make shares longer than the data. */
  static final long GRANULE_BYTES_MIN = 64 * 1024;

  static final long GRANULE_BYTES_MAX = 1L << 50;

  /** A policy may name a multiple of the capacity that an instance will have. */
  private static final long ANY_CAPACITY = 1;

  private AllocationRules() {}

  /** The granules of a request, or why there are none. */
  sealed interface Dealt {
    record Granted(Allocation allocation) implements Dealt {}

    record Not(Result.Refused why) implements Dealt {}
  }

  /** The allocation of a new instance. */
  static Dealt deal(Command.CreateInstance create, RingMap map) {
    if (create.capacityBytes() < 0) {
      return not(ErrorCode.INVALID, "a capacity of " + create.capacityBytes() + " bytes");
    }
    boolean anywhere = create.capacityBytes() == 0 && create.pool().isEmpty();
    Pool pool = anywhere ? null : poolOf(create.pool(), map);
    if (!anywhere && pool == null) return not(ErrorCode.NOT_FOUND, noPool(create.pool(), map));
    List<SeatEntry> seats =
        InstanceRules.here(map.seats()).stream()
            .filter(seat -> pool == null || seat.pool().equals(pool.name()))
            .toList();
    Result.Refused noSsd = create.forced() ? InstanceRules.checkForced(seats) : null;
    if (noSsd != null) return new Dealt.Not(noSsd);
    if (pool == null) return anywhere(create, map);
    String few = tooFewServers(pool, create.copies(), seats);
    if (few != null) return not(ErrorCode.INVALID, few);
    if (create.capacityBytes() == 0) {
      return new Dealt.Granted(Allocation.anywhereIn(pool.name()));
    }
    Ask ask =
        new Ask(
            create.name(), create.owner(), create.owner(), create.copies(), create.forced(), null);
    return ask.deal(
        new Allocation(pool.name(), pool.granuleBytes(), List.of()),
        create.capacityBytes(),
        pool,
        map);
  }

  /** The default write protection of the pool that a new instance has a capacity of. */
  static String protection(Maps.CreateInstance request, RingMap map) {
    boolean anywhere = request.capacityBytes() == 0 && request.pool().isEmpty();
    Pool pool = anywhere ? null : poolOf(request.pool(), map);
    return pool == null ? "" : pool.protection();
  }

  /** Copies stay within a pool, so one pool at least must have enough seats. */
  private static Dealt anywhere(Command.CreateInstance create, RingMap map) {
    for (Pool pool : map.pools()) {
      long seats =
          InstanceRules.here(map.seats()).stream()
              .filter(seat -> seat.pool().equals(pool.name()))
              .count();
      if (seats >= create.copies()) return new Dealt.Granted(Allocation.NONE);
    }
    return not(
        ErrorCode.INVALID,
        "%d copies stay within a pool, and no pool has as many seats; add servers to one, or ask for fewer copies"
            .formatted(create.copies()));
  }

  /** The allocation of an instance with another capacity. */
  static Dealt resize(Command.ResizeInstance resize, Instance instance, RingMap map) {
    Allocation allocation = instance.allocation();
    Pool pool = map.pool(allocation.pool());
    if (!allocation.isPromise() || pool == null) {
      return not(
          ErrorCode.INVALID,
          "instance '%s' was made without a capacity, so it has none to change; make another one with --capacity"
              .formatted(instance.name()));
    }
    if (instance.drain().ending()) {
      return not(ErrorCode.INVALID, "instance '" + instance.name() + "' is ending");
    }
    if (resize.capacityBytes() < 1) {
      return not(ErrorCode.INVALID, "a capacity of " + resize.capacityBytes() + " bytes");
    }
    Ask ask =
        new Ask(
            instance.name(),
            resize.user(),
            instance.owner(),
            instance.copies(),
            instance.forced(),
            instance);
    return ask.deal(allocation, resize.capacityBytes(), pool, map);
  }

  /** The pool of that name; without a name the default one, or the only one there is; else null. */
  private static @Nullable Pool poolOf(String name, RingMap map) {
    if (!name.isEmpty()) return map.pool(name);
    Pool usual = map.pool(Pool.DEFAULT);
    if (usual == null && map.pools().size() == 1) return map.pools().getFirst();
    return usual;
  }

  private static String noPool(String name, RingMap map) {
    String names = map.pools().stream().map(Pool::name).collect(Collectors.joining(", "));
    if (name.isEmpty()) return "there are several pools; name one of " + names + " with --pool";
    return "there is no pool '%s'; the servers have: %s".formatted(name, names);
  }

  private static @Nullable String tooFewServers(Pool pool, int copies, List<SeatEntry> seats) {
    long servers = seats.stream().map(SeatEntry::server).distinct().count();
    if (servers >= copies) return null;
    return "pool '%s' has %s, and %d copies need as many; add servers to the pool, choose another pool, or ask for fewer copies"
        .formatted(pool.name(), servers == 1 ? "1 server" : servers + " servers", copies);
  }

  /**
   * A request for granules.
   *
   * @param user the requesting user
   * @param before the instance as it is; null for a new one
   */
  private record Ask(
      String name, int user, int owner, int copies, boolean forced, @Nullable Instance before) {
    Dealt deal(Allocation present, long capacityBytes, Pool pool, RingMap map) {
      long wanted = present.granulesFor(capacityBytes);
      boolean grows = before == null || wanted > before.granulesWanted();
      if (grows && wanted > Long.MAX_VALUE / present.granuleBytes()) {
        return not(ErrorCode.INVALID, "a capacity of " + ByteSize.format(capacityBytes));
      }
      Result.Refused over = grows ? checkUser(wanted, pool, map) : null;
      if (over != null) return new Dealt.Not(over);
      PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
      long freeBefore = room.free();
      Allocation dealt = present.with(Dealing.deal(room, copies, forced, present.shares(), wanted));
      if (!grows || dealt.granules() >= wanted) return new Dealt.Granted(dealt);
      return not(
          ErrorCode.NO_SPACE,
          "instance '%s' asks for %s in %s; pool '%s' has %s of %s free, copies counted, and %s would fit"
              .formatted(
                  name,
                  ByteSize.format(capacityBytes),
                  copies == 1 ? "1 copy" : copies + " copies",
                  pool.name(),
                  ByteSize.format(freeBefore * pool.granuleBytes()),
                  ByteSize.format(room.quantity() * pool.granuleBytes()),
                  ByteSize.format(dealt.granules() * pool.granuleBytes())));
    }

    /** What a user may have of a pool is user bytes; root may give more. */
    private Result.@Nullable Refused checkUser(long wanted, Pool pool, RingMap map) {
      if (pool.userBytesMax() == 0 || user == Identity.ROOT) return null;
      long has = 0;
      for (Instance instance : map.instances()) {
        boolean counts =
            instance.owner() == owner
                && instance.allocation().pool().equals(pool.name())
                && (before == null || instance.id() != before.id());
        if (counts) has += instance.capacityBytes();
      }
      long asked = wanted * pool.granuleBytes();
      long left = Math.max(0, pool.userBytesMax() - has);
      if (asked <= left) return null;
      return new Result.Refused(
          ErrorCode.NO_SPACE,
          "instance '%s' would take %s of pool '%s'; a user may have %s there, and user %s has %s in other instances; ask for at most %s"
              .formatted(
                  name,
                  ByteSize.format(asked),
                  pool.name(),
                  ByteSize.format(pool.userBytesMax()),
                  Integer.toUnsignedString(owner),
                  ByteSize.format(has),
                  ByteSize.format(left)));
    }
  }

  /** Why a pool cannot have these settings, or null. */
  static Result.@Nullable Refused check(Command.SetPool set, RingMap map) {
    Pool pool = set.pool();
    Pool before = map.pool(pool.name());
    if (set.user() != Identity.ROOT) {
      return new Result.Refused(
          ErrorCode.NOT_PERMITTED, "only root may change pool '" + pool.name() + "'");
    }
    if (before == null) return new Result.Refused(ErrorCode.NOT_FOUND, noPool(pool.name(), map));
    if (pool.granuleBytes() < GRANULE_BYTES_MIN || pool.granuleBytes() > GRANULE_BYTES_MAX) {
      return new Result.Refused(
          ErrorCode.INVALID,
          "granules of %s; between %s and %s are possible"
              .formatted(
                  ByteSize.format(pool.granuleBytes()),
                  ByteSize.format(GRANULE_BYTES_MIN),
                  ByteSize.format(GRANULE_BYTES_MAX)));
    }
    Result.Refused unknown = InstanceRules.checkProtection(pool.protection(), ANY_CAPACITY);
    if (unknown != null) return unknown;
    boolean used =
        map.instances().stream()
            .anyMatch(
                each ->
                    each.allocation().isPromise() && each.allocation().pool().equals(pool.name()));
    if (!used || before.granuleBytes() == pool.granuleBytes()) return null;
    return new Result.Refused(
        ErrorCode.INVALID,
        "instances have granules of %s of pool '%s'; destroy them before you change the unit"
            .formatted(ByteSize.format(before.granuleBytes()), pool.name()));
  }

  private static Dealt not(ErrorCode code, String sentence) {
    return new Dealt.Not(new Result.Refused(code, sentence));
  }
}
