// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.InstanceOptions;
import io.forebay.job.directive.AccessMode;
import io.forebay.job.directive.Directives.BufferType;
import io.forebay.job.directive.Directives.JobBuffer;
import io.forebay.job.service.JobService.Persistent;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.Tenancy;
import io.forebay.ring.protection.ProtectionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The instances that fit what job scripts ask for. Pure. */
final class BufferOptions {
  /** A cache writes what it takes to its directory soon, and the rest at its end. */
  private static final String CACHE_POLICY = "close,end";

  private final int copies;

  /**
   * With a number of copies for all.
   *
   * @param copies how many servers keep each byte
   */
  BufferOptions(int copies) {
    this.copies = copies;
  }

  /**
   * The instance of a job.
   *
   * @param pool for a directive that names none; null for the cluster's default
   */
  InstanceOptions of(JobBuffer buffer, @Nullable String pool, RingMap map) {
    String in = buffer.pool() != null ? buffer.pool() : pool;
    InstanceOptions options = options(buffer.capacityBytes(), buffer.access(), in, map);
    if (buffer.type() != BufferType.CACHE) return options;
    String directory = buffer.pfs();
    if (directory == null) throw new IllegalStateException("a cache over no directory");
    return options.withDrain(new DrainSpec(directory, CACHE_POLICY).asOver());
  }

  /** A persistent instance; its owner may give access to others later. */
  InstanceOptions of(Persistent persistent, RingMap map) {
    return options(persistent.capacityBytes(), persistent.access(), persistent.pool(), map)
        .withTenancy(Tenancy.OPEN);
  }

  private InstanceOptions options(
      long capacityBytes, List<AccessMode> access, @Nullable String pool, RingMap map) {
    String in = pool == null ? "" : pool;
    return InstanceOptions.defaults()
        .withCapacityBytes(capacityBytes)
        .withCopies(copies)
        .withPool(in)
        .withAccess(access(access))
        .withProtection(protection(access, in, map));
  }

  private static Instance.Access access(List<AccessMode> modes) {
    boolean own = modes.stream().anyMatch(mode -> mode.kind() == AccessMode.Kind.PRIVATE);
    boolean shared = modes.stream().anyMatch(mode -> mode.kind() != AccessMode.Kind.PRIVATE);
    if (own) return shared ? Instance.Access.BOTH : Instance.Access.PRIVATE;
    return Instance.Access.SHARED;
  }

  /**
   * The limits of the directive beside those of the pool. The instance has one set of limits for
   * all its access modes: the strictest counts. What happens beyond a limit is for the pool's
   * administrator to say, as with DataWarp.
   */
  private static String protection(List<AccessMode> modes, String pool, RingMap map) {
    long fileBytesMax = 0;
    long filesMax = 0;
    for (AccessMode mode : modes) {
      fileBytesMax = stricter(fileBytesMax, mode.fileBytesMax());
      filesMax = stricter(filesMax, mode.filesCreatedMax());
    }
    // Empty: the manager takes the pool's.
    if (fileBytesMax == 0 && filesMax == 0) return "";
    ProtectionPolicy usual = ProtectionPolicy.of(poolProtection(pool, map));
    long fileBytes = stricter(fileBytesMax, OptionalLong.of(usual.fileBytesMax()));
    long files = stricter(filesMax, OptionalLong.of(usual.filesMax()));
    boolean both = usual.isNone();
    return new ProtectionPolicy(
            usual.window(), fileBytes, files, both || usual.logs(), both || usual.refuses())
        .toString();
  }

  private static String poolProtection(String name, RingMap map) {
    List<Pool> pools = map.pools();
    String wanted = name.isEmpty() && pools.size() == 1 ? pools.getFirst().name() : name;
    if (wanted.isEmpty()) wanted = Pool.DEFAULT;
    List<String> protections = new ArrayList<>();
    for (Pool pool : pools) if (pool.name().equals(wanted)) protections.add(pool.protection());
    return protections.isEmpty() ? "" : protections.getFirst();
  }

  /** The smaller of two limits, of which 0 is none. */
  private static long stricter(long limit, OptionalLong other) {
    long second = other.orElse(0);
    if (limit == 0 || second == 0) return Math.max(limit, second);
    return Math.min(limit, second);
  }
}
