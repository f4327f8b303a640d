// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.authority.CertificateName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a process says of its own certificate. */
class AccessTest {
  private static @Nullable String ofServer(@Nullable String uri) {
    CertificateName found = uri == null ? null : CertificateName.parse(uri);
    return Access.wrongName(found, CertificateName.Role.SERVER, "s1");
  }

  @Test
  void theRightNameIsNotMentioned() {
    assertThat(ofServer("urn:forebay:server:s1")).isNull();
    assertThat(
            Access.wrongName(
                CertificateName.parse("urn:forebay:manager:node1"),
                CertificateName.Role.MANAGER,
                null))
        .isNull();
  }

  @Test
  void aWrongOneIsToldWithTheRightOne() {
    assertThat(ofServer("urn:forebay:user:1000"))
        .startsWith("is of user '1000'")
        .contains("urn:forebay:server:s1");
    assertThat(ofServer("urn:forebay:server:s2")).startsWith("is of server 's2'");
    assertThat(ofServer(null)).startsWith("names no role").contains("urn:forebay:server:s1");
  }
}
