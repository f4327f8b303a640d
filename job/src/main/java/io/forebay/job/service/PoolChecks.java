// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.base.ByteSize;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.Directives;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses at submission what no pool can ever give. */
final class PoolChecks {
  private PoolChecks() {}

  static void check(Directives directives, List<Registry.Pool> pools) throws JobFailed {
    Directives.JobBuffer job = directives.jobBuffer();
    if (job != null) check(job.line(), job.capacityBytes(), job.pool(), pools);
    for (Directives.PersistentCreation creation : directives.creations()) {
      check(creation.line(), creation.capacityBytes(), creation.pool(), pools);
    }
  }

  private static void check(
      int line, long capacityBytes, @Nullable String name, List<Registry.Pool> pools)
      throws JobFailed {
    List<Registry.Pool> candidates =
        pools.stream().filter(pool -> name == null || pool.name().equals(name)).toList();
    if (candidates.isEmpty()) {
      String known = String.join(", ", pools.stream().map(Registry.Pool::name).toList());
      throw new JobFailed(
          "line %d: there is no pool '%s'; %s"
              .formatted(
                  line,
                  name == null ? "" : name,
                  known.isEmpty() ? "no server has joined one yet" : "write one of " + known));
    }
    String where = name == null ? "any pool" : "pool '" + name + "'";
    long largest = 0;
    long allowed = 0;
    for (Registry.Pool pool : candidates) {
      long all = pool.granules() * pool.granularityBytes();
      largest = Math.max(largest, all);
      long user = pool.userBytesMax() == 0 ? all : Math.min(all, pool.userBytesMax());
      allowed = Math.max(allowed, user / pool.granularityBytes() * pool.granularityBytes());
    }
    if (largest == 0) {
      throw new JobFailed(
          "line %d: %s has too few servers now to keep the copies of a buffer; %s"
              .formatted(
                  line,
                  name == null ? "each pool" : where,
                  "choose another pool, or submit the job again when servers are back"));
    }
    if (capacityBytes > largest) {
      throw new JobFailed(
          "line %d: capacity %s is more than %s has in all; ask for at most %s"
              .formatted(line, ByteSize.format(capacityBytes), where, ByteSize.format(allowed)));
    }
    if (capacityBytes > allowed) {
      throw new JobFailed(
          "line %d: capacity %s is more than one user may have of %s; ask for at most %s"
              .formatted(line, ByteSize.format(capacityBytes), where, ByteSize.format(allowed)));
    }
  }
}
