// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.certificate;

import io.forebay.wire.message.Enrolment;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which certificates hang on others. Stateless. */
final class IssuedCertificates {
  private IssuedCertificates() {}

  /** The valid ones that these have signed, or CAs that these have signed, without these. */
  static List<Enrolment.Certificate> below(
      Collection<Enrolment.Certificate> these, List<Enrolment.Certificate> all) {
    Set<Long> above =
        these.stream()
            .map(Enrolment.Certificate::serial)
            .collect(Collectors.toCollection(TreeSet::new));
    boolean more = true;
    while (more) {
      more = false;
      for (Enrolment.Certificate each : all) {
        if (above.contains(each.issuer())) more |= above.add(each.serial());
      }
    }
    return all.stream()
        .filter(each -> above.contains(each.serial()) && !each.revoked() && !these.contains(each))
        .toList();
  }
}
