// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.message.Identity;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrustTest {
  private static final Trust TRUST = Trust.ofProofs(7);

  private static Principal certified(String... names) {
    PeerCertificate certificate = new PeerCertificate("CN=x", List.of(names));
    return TRUST.principalOf(new PeerProof(certificate, null));
  }

  @Test
  void anOpenNetworkBelievesEverything() {
    assertThat(Trust.OPEN.principalOf(PeerProof.NONE).isTrusted()).isTrue();
  }

  @Test
  void rootAndTheOwnUserOfThisMachineAreOperators() {
    assertThat(TRUST.principalOf(PeerProof.local(Identity.root())).isTrusted()).isTrue();
    Identity own = new Identity(7, List.of(7));
    assertThat(TRUST.principalOf(PeerProof.local(own)).isTrusted()).isTrue();
  }

  @Test
  void otherUsersOfThisMachineActForThemselvesOnly() {
    Identity alice = new Identity(1000, List.of(100, 200));
    Principal principal = TRUST.principalOf(PeerProof.local(alice));
    assertThat(principal).isEqualTo(new Principal.User(alice));
    assertThat(principal.isTrusted()).isFalse();
    assertThat(principal.mayActFor(new Identity(1000, List.of(200)))).isTrue();
    assertThat(principal.mayActFor(new Identity(1000, List.of(300)))).isFalse();
    assertThat(principal.mayActFor(Identity.root())).isFalse();
  }

  @Test
  void whatProvesNothingIsAStranger() {
    Principal stranger = TRUST.principalOf(PeerProof.NONE);
    assertThat(stranger).isInstanceOf(Principal.Stranger.class);
    assertThat(stranger.mayActFor(new Identity(1000, List.of()))).isFalse();
  }

  @Test
  void aCertificateNamesItsRole() {
    assertThat(certified("urn:forebay:server:node1", "node1"))
        .isEqualTo(new Principal.Server("node1"));
    assertThat(certified("urn:forebay:manager:m")).isEqualTo(new Principal.ManagerNode("m"));
    assertThat(certified("urn:forebay:agent:n7")).isEqualTo(new Principal.Agent("n7", false));
    assertThat(certified("urn:forebay:batch:n7")).isEqualTo(new Principal.Agent("n7", true));
    assertThat(certified("urn:forebay:admin:eve").isTrusted()).isTrue();
    assertThat(certified("urn:forebay:user:1000"))
        .isEqualTo(new Principal.User(new Identity(1000, List.of(1000))));
  }

  @Test
  void aCertificateWithoutOneRoleProvesNothing() {
    for (List<String> names :
        List.of(
            List.of("node1"),
            List.of("urn:forebay:server:a", "urn:forebay:admin:b"),
            List.of("urn:forebay:server:"),
            List.of("urn:forebay:user:root"),
            List.of("urn:forebay:user:0"),
            List.of("urn:forebay:king:x"))) {
      assertThat(certified(names.toArray(String[]::new)))
          .as("%s", names)
          .isInstanceOf(Principal.Stranger.class);
    }
  }
}
