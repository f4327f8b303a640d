// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.use;

import io.forebay.base.GroupId;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.wire.message.Uses;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What was written and read of an instance since it was created, added up over the groups whose
 * homes answered.
 *
 * @param writtenBytes bytes that clients wrote, copies not counted
 * @param readBytes bytes that clients read from servers
 * @param ssdBytes bytes of it that were written to SSDs, copies, spill and compaction included
 * @param windowBytes bytes written within the window of the instance's write protection, or within
 *     24 hours
 * @param windowBytesMax the sum over groups of the most that was written within a window
 * @param heldBytes what its files hold
 * @param heldBytesMax the most that they held; for private access, the sum over nodes
 * @param filesCreated files created, deleted ones included
 * @param protection what its write protection says now
 * @param groups how many groups are counted
 * @param groupsMissing how many groups may have records of it and are not counted, since no seat
 *     that answered serves them
 */
public record InstanceUsage(
    Instance instance,
    long writtenBytes,
    long readBytes,
    long ssdBytes,
    long windowBytes,
    long windowBytesMax,
    long heldBytes,
    long heldBytesMax,
    long filesCreated,
    Uses.Verdict protection,
    int groups,
    int groupsMissing) {
  /** Adds up what groups say about an instance, of which some are not known. */
  public static InstanceUsage of(
      Instance instance, List<Uses.GroupUse> uses, List<GroupId> missing) {
    int unknown =
        (int) missing.stream().filter(group -> group.copies() == instance.copies()).count();
    InstanceUsage sum =
        new InstanceUsage(instance, 0, 0, 0, 0, 0, 0, 0, 0, Uses.Verdict.NONE, 0, unknown);
    for (Uses.GroupUse use : uses) {
      if (use.instance() == instance.id()) sum = sum.and(use);
    }
    return sum;
  }

  private InstanceUsage and(Uses.GroupUse use) {
    return new InstanceUsage(
        instance,
        writtenBytes + use.writtenBytes(),
        readBytes + use.readBytes(),
        ssdBytes + use.ssdBytes(),
        windowBytes + use.windowBytes(),
        windowBytesMax + use.windowBytesMax(),
        heldBytes + use.heldBytes(),
        heldBytesMax + use.heldBytesMax(),
        filesCreated + use.filesCreated(),
        use.isRoot() ? use.verdict() : protection,
        groups + 1,
        groupsMissing);
  }

  /** Its write protection. */
  public ProtectionPolicy policy() {
    return ProtectionPolicy.of(instance.protection());
  }

  /** Whether users are refused something at present, or would be if the policy said so. */
  public boolean isOver() {
    return protection.writesOver() || protection.filesOver();
  }

  /** What the write protection says, in one word. */
  public String protectionWord() {
    if (policy().isNone()) return "none";
    if (!isOver()) return "ok";
    return policy().refuses() ? "refusing" : "exceeded";
  }

  /** Until when the window of the write protection is exceeded, if it is. */
  public Instant protectedUntil() {
    return Instant.ofEpochMilli(protection.untilMillis()).truncatedTo(ChronoUnit.SECONDS);
  }
}
