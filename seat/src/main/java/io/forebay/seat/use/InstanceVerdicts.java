// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.base.GroupId;
import io.forebay.namespace.use.WriteWindow;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Uses;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The home of instances' roots adds up what all groups report, and decides whether write protection
 * applies. Reports live in memory only: after a change of this home all groups report again.
 */
public final class InstanceVerdicts {
  private static final class Instances {
    final TreeMap<GroupId, Uses.Report> reports = new TreeMap<>();
    Uses.Verdict last = Uses.Verdict.NONE;
  }

  private final Policies policies;
  private final MapView maps;
  private final WallClock wallClock;
  private final SeatEvents events;
  private final Map<Integer, Instances> instances = new TreeMap<>();

  public InstanceVerdicts(UseParts parts) {
    this.policies = parts.policies();
    this.maps = parts.basics().maps();
    this.wallClock = parts.basics().wallClock();
    this.events = parts.basics().events();
  }

  /** The same process stays home in a newer epoch. */
  public void adopt(InstanceVerdicts earlier) {
    instances.putAll(earlier.instances);
  }

  /** A group's home has counted. */
  public void report(Connection from, long request, Uses.Report report) {
    from.send(request, verdict(report));
  }

  Message verdict(Uses.Report report) {
    Instance instance = maps.instance(report.instance());
    if (instance == null) {
      return new Replies.Failed(
          ErrorCode.UNKNOWN_INSTANCE, "there is no instance of number " + report.instance());
    }
    if (report.buckets().size() > Uses.BUCKETS_MAX || report.bucketMillis() < 1) {
      return new Replies.Failed(ErrorCode.MALFORMED, "a report of too many buckets");
    }
    instances.keySet().removeIf(maps::hasEnded);
    Instances known = instances.computeIfAbsent(instance.id(), key -> new Instances());
    known.reports.put(report.from(), report);
    Uses.Verdict before = known.last;
    known.last = decide(instance, known);
    tell(instance, before, known.last);
    return known.last;
  }

  /** The verdict at present. */
  Uses.Verdict now(Instance instance) {
    Instances known = instances.get(instance.id());
    return known == null ? Uses.Verdict.NONE : decide(instance, known);
  }

  private Uses.Verdict decide(Instance instance, Instances known) {
    ProtectionPolicy policy = policies.of(instance);
    long bucketMillis = Windows.bucketMillis(policy);
    long nowBucket = wallClock.nanos() / 1_000_000 / bucketMillis;
    TreeMap<Long, Long> buckets = new TreeMap<>();
    long filesCreated = 0;
    for (Uses.Report report : known.reports.values()) {
      filesCreated += report.filesCreated();
      // One of another length was sent before the policy changed; the next one follows soon.
      if (report.bucketMillis() != bucketMillis) continue;
      for (Uses.Bucket each : report.buckets()) {
        // The clock of the sender may be ahead.
        buckets.merge(Math.min(each.number(), nowBucket), each.bytes(), Long::sum);
      }
    }
    buckets.headMap(WriteWindow.oldest(nowBucket), false).clear();
    long bytes = buckets.values().stream().mapToLong(Long::longValue).sum();
    long bytesMax = policy.windowBytesMax(instance.capacityBytes());
    boolean writesOver = !policy.window().isNone() && bytesMax > 0 && bytes >= bytesMax;
    long untilMillis = writesOver ? untilMillis(buckets, bytes, bytesMax, bucketMillis) : 0;
    boolean filesOver = policy.filesMax() > 0 && filesCreated >= policy.filesMax();
    return new Uses.Verdict(writesOver, untilMillis, bytes, filesOver);
  }

  /** When so much is out of the window that the rest is below the limit. */
  private static long untilMillis(
      NavigableMap<Long, Long> buckets, long bytes, long bytesMax, long bucketMillis) {
    long rest = bytes;
    for (Map.Entry<Long, Long> bucket : buckets.entrySet()) {
      rest -= bucket.getValue();
      if (rest < bytesMax) return WriteWindow.goneMillis(bucket.getKey(), bucketMillis);
    }
    throw new IllegalStateException("an empty window is over its limit");
  }

  private void tell(Instance instance, Uses.Verdict before, Uses.Verdict now) {
    ProtectionPolicy policy = policies.of(instance);
    if (!policy.logs()) return;
    if (now.writesOver() && !before.writesOver()) {
      events.warned(ProtectionSentences.tooMuchWritten(instance, policy, now));
    } else if (!now.writesOver() && before.writesOver()) {
      events.told(ProtectionSentences.lifted(instance, now));
    }
    if (now.filesOver() && !before.filesOver()) {
      events.warned(ProtectionSentences.tooManyFiles(instance, policy));
    }
  }
}
