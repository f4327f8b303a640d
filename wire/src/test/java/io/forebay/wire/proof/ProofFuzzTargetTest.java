// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.base.Bytes;
import io.forebay.base.proof.AccessKey;
import io.forebay.base.proof.Capability;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import io.forebay.wire.authority.CertificateName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any bytes are a capability that a key signed or none; any name is a role or none. */
class ProofFuzzTargetTest {
  private static final int CHANGED = 5_000;
  private static final AllocationBound BOUND = new AllocationBound(256 * 1024, 100);
  private static final AccessKey KEY = AccessKey.draw(3, new SplittableRandom(1));

  @Test
  void anyBytesAreACapabilityOrNone() {
    Capability few = new Capability(3, 1, 2, 1000, List.of(100, 200), 7, 1_900_000_000L);
    Capability none = new Capability(3, Capability.CLUSTER, 0, 0, List.of(), 1, 0);
    List<byte[]> valid =
        List.of(
            KEY.sign(few).toArray(),
            KEY.sign(none).toArray(),
            new CertificateName(CertificateName.Role.SERVER, "one")
                .uri()
                .getBytes(StandardCharsets.UTF_8));
    new FuzzRun(ProofFuzzTargetTest.class, "proofs", valid)
        .play(ProofFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    BOUND.check(input.length, () -> read(Bytes.copyOf(input)));
  }

  private static void read(Bytes input) {
    Capability verified = KEY.verify(input);
    if (verified != null && !KEY.sign(verified).equals(input)) {
      throw new AssertionError("not what was signed: " + verified);
    }
    if (verified != null && Capability.keyIdOf(input) != KEY.id()) {
      throw new AssertionError("signed by another key");
    }
    String text = new String(input.toArray(), StandardCharsets.UTF_8);
    CertificateName role = CertificateName.parse(text);
    if (role != null && !role.equals(CertificateName.parse(role.uri()))) {
      throw new AssertionError(role + " of " + text);
    }
  }
}
