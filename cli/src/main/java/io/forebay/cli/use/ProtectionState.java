// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.base.ByteSize;
import io.forebay.client.Cluster;
import io.forebay.client.use.InstanceUsage;
import io.forebay.ring.protection.ProtectionPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The state of instances' write protection, for people. Stateless. */
public final class ProtectionState {
  private ProtectionState() {}

  /** What write protection says about all instances that are over a limit, as sentences. */
  public static List<String> sentences(Cluster cluster) throws IOException {
    boolean any = cluster.instances().stream().anyMatch(each -> !each.protection().isEmpty());
    if (!any) return List.of();
    List<String> sentences = new ArrayList<>();
    for (InstanceUsage usage : cluster.usage().instances()) {
      if (usage.isOver()) sentences.add(sentence(usage));
    }
    return sentences;
  }

  /** What is over its limit, and what that means. */
  static String sentence(InstanceUsage usage) {
    ProtectionPolicy policy = usage.policy();
    List<String> parts = new ArrayList<>();
    if (usage.protection().writesOver()) {
      parts.add(
          "%s were written within its window, and %s are allowed; %s until %s"
              .formatted(
                  ByteSize.format(usage.protection().windowBytes()),
                  ByteSize.format(policy.windowBytesMax(usage.instance().capacityBytes())),
                  policy.refuses() ? "writes fail" : "this is only logged",
                  usage.protectedUntil()));
    }
    if (usage.protection().filesOver()) {
      parts.add(
          "%d files were created, and %d are allowed; %s"
              .formatted(
                  usage.filesCreated(),
                  policy.filesMax(),
                  policy.refuses() ? "no more can be created" : "this is only logged"));
    }
    return "write protection of '%s': %s"
        .formatted(usage.instance().name(), String.join("; ", parts));
  }
}
