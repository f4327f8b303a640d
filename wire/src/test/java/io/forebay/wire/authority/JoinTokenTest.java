// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinTokenTest {
  @Test
  void textsAreReadAgainAndOthersAreNot() {
    byte[] secret = new byte[JoinToken.SECRET_BYTES];
    secret[3] = (byte) 0xfb;
    JoinToken token = new JoinToken(JoinToken.sha256(new byte[] {1}), Bytes.copyOf(secret));
    assertThat(JoinToken.parse(token.text() + "\n")).isEqualTo(token);
    assertThat(token.text()).startsWith("fb1.").doesNotContain("=", "+", "/");
    assertThat(token.toString()).doesNotContain(token.text().substring(48));
    for (String wrong :
        List.of(
            "", "fb1", "fb2" + token.text().substring(3), token.text() + "A", "fb1..", "a.b.c")) {
      assertThat(JoinToken.parse(wrong)).as(wrong).isNull();
    }
  }

  @Test
  void namesAreReadAgainAndOthersAreNot() {
    for (String name : List.of("node1", "rack 3/ü:x", "100%", "~")) {
      CertificateName given = new CertificateName(CertificateName.Role.AGENT, name);
      assertThat(CertificateName.of(List.of("node1.site", given.uri()))).isEqualTo(given);
    }
    assertThat(CertificateName.user(-2).uri()).isEqualTo("urn:forebay:user:4294967294");
    for (String wrong :
        List.of(
            "urn:forebay:server:",
            "urn:forebay:king:x",
            "urn:forebay:server",
            "urn:forebay:user:%4",
            "x")) {
      assertThat(CertificateName.parse(wrong)).as(wrong).isNull();
    }
  }
}
