// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Enrolment;
import java.util.List;
import org.junit.jupiter.api.Test;

class IssuedCertificatesTest {
  private static final long ROOT = 99;

  private static Enrolment.Certificate certificate(long serial, long issuer, boolean revoked) {
    return new Enrolment.Certificate(
        serial, Role.SERVER, "s" + serial, 1, 2, revoked, issuer, false);
  }

  @Test
  void whatHangsOnACaIsFoundThroughOtherCas() {
    Enrolment.Certificate second = certificate(5, ROOT, false);
    List<Enrolment.Certificate> all =
        List.of(
            certificate(1, 4, false),
            certificate(2, ROOT, false),
            certificate(3, 5, true),
            certificate(4, 5, false),
            second);
    assertThat(IssuedCertificates.below(List.of(second), all))
        .extracting(Enrolment.Certificate::serial)
        .containsExactly(1L, 4L);
    assertThat(IssuedCertificates.below(List.of(all.get(1)), all)).isEmpty();
  }
}
