// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.Locale;

/**
 * The properties of a new instance. Start with {@link #defaults} and change what you need.
 *
 * @param capacityBytes user bytes it may hold; 0 for no limit
 * @param copies how many seats keep each record
 * @param forced whether a write is acknowledged only when it survives a power cut
 * @param whenDegraded whether writes continue or wait while there are fewer servers than copies
 * @param drain where its files are drained to, and when
 * @param protection what its users may write, such as {@code window=10x/24h,error}; empty for the
 *     default of its pool, {@code none} for no limits
 * @param tenancy which users it admits, and until when it exists
 * @param pool the pool that gives the capacity; empty for the default
 */
public record InstanceOptions(
    Instance.Lifetime lifetime,
    Instance.Access access,
    long capacityBytes,
    int copies,
    boolean forced,
    Instance.WhenDegraded whenDegraded,
    PlacementSpec placement,
    DrainSpec drain,
    String protection,
    Tenancy tenancy,
    String pool) {
  private static final int COPIES_DEFAULT = 2;

  /** Persistent, shared, unbounded, two copies in memory, spread by hash. */
  public static InstanceOptions defaults() {
    return new InstanceOptions(
        Instance.Lifetime.PERSISTENT,
        Instance.Access.SHARED,
        0,
        COPIES_DEFAULT,
        false,
        Instance.WhenDegraded.CONTINUE,
        new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0),
        DrainSpec.NONE,
        "",
        Tenancy.OPEN,
        "");
  }

  public InstanceOptions withLifetime(Instance.Lifetime other) {
    return new InstanceOptions(
        other,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withAccess(Instance.Access other) {
    return new InstanceOptions(
        lifetime,
        other,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withCapacityBytes(long bytes) {
    return new InstanceOptions(
        lifetime,
        access,
        bytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withCopies(int number) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        number,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withForced(boolean whether) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        whether,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withWhenDegraded(Instance.WhenDegraded other) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        other,
        placement,
        drain,
        protection,
        tenancy,
        pool);
  }

  public InstanceOptions withPlacement(PlacementSpec other) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        other,
        drain,
        protection,
        tenancy,
        pool);
  }

  /** Files are drained to a backing store. */
  public InstanceOptions withDrain(DrainSpec other) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        other,
        protection,
        tenancy,
        pool);
  }

  /** Limits what its users may write. */
  public InstanceOptions withProtection(String words) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        words,
        tenancy,
        pool);
  }

  /** Its capacity, and all its data, is in that pool. */
  public InstanceOptions withPool(String name) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        tenancy,
        name);
  }

  /** Only some users are admitted, or it ends by itself. */
  public InstanceOptions withTenancy(Tenancy other) {
    return new InstanceOptions(
        lifetime,
        access,
        capacityBytes,
        copies,
        forced,
        whenDegraded,
        placement,
        drain,
        protection,
        other,
        pool);
  }

  /** As a message, with a number that was drawn at random. */
  Maps.CreateInstance request(long op, String name, Identity who) {
    return new Maps.CreateInstance(
        op,
        name,
        who,
        word(lifetime),
        word(access),
        capacityBytes,
        copies,
        forced,
        word(whenDegraded),
        word(placement.kind()),
        placement.stripeBytes(),
        placement.stripeWidth(),
        drain.backing(),
        drain.policy(),
        drain.keep(),
        drain.over(),
        protection,
        word(tenancy.permit()),
        word(tenancy.root()),
        tenancy.expiresSeconds(),
        pool);
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
