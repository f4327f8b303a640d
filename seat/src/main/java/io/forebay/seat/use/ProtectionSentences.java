// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.base.ByteSize;
import io.forebay.base.TimeText;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.wire.message.Uses;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What people are told about write protection. Pure. */
final class ProtectionSentences {
  private ProtectionSentences() {}

  /** Which limit was exceeded, by how much, and when that ends. */
  static String tooMuchWritten(Instance instance, ProtectionPolicy policy, Uses.Verdict verdict) {
    return "instance '%s' has taken %s within %s, and its write protection (%s) allows %s, until %s"
        .formatted(
            instance.name(),
            ByteSize.format(verdict.windowBytes()),
            TimeText.of(policy.window().millis()),
            policy,
            ByteSize.format(policy.windowBytesMax(instance.capacityBytes())),
            Instant.ofEpochMilli(verdict.untilMillis()).truncatedTo(ChronoUnit.SECONDS));
  }

  static String lifted(Instance instance, Uses.Verdict verdict) {
    return "instance '%s' has taken %s within its window, which its write protection allows again"
        .formatted(instance.name(), ByteSize.format(verdict.windowBytes()));
  }

  static String tooManyFiles(Instance instance, ProtectionPolicy policy) {
    return "in instance '%s' as many files were created as its write protection (%s) allows"
        .formatted(instance.name(), policy);
  }
}
