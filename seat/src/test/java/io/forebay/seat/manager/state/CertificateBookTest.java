// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CertificateBookTest {
  private static final long NOW = 1_000_000;
  private static final Bytes TOKEN = hash(1);

  /** The number of the root, which is not in the book. */
  private static final long ROOT = 999;

  private ManagerState state = new ManagerState();

  @BeforeEach
  void begin() {
    state.apply(new Command.BeginTerm(1, 7));
  }

  private static Bytes hash(int number) {
    return JoinToken.sha256(new byte[] {(byte) number});
  }

  private Result addToken(Role role, String name, int uses) {
    return state.apply(
        new Command.AddToken(new CertificateBook.Token(TOKEN, role, name, NOW + 60, uses), NOW));
  }

  private static CertificateBook.Issued certificate(long serial, String name, int key, long at) {
    return new CertificateBook.Issued(
        serial, Role.SERVER, name, hash(key), TOKEN, at, at + 1000, false, ROOT, false);
  }

  private Result enrol(long serial, String name, int key, long at) {
    return apply(new Command.IssueCertificate(certificate(serial, name, key, at), TOKEN, 0));
  }

  private Result renew(long serial, long before, String name, long at) {
    return apply(
        new Command.IssueCertificate(
            certificate(serial, name, (int) serial, at), Bytes.EMPTY, before));
  }

  /** Through the bytes of the log. */
  private Result apply(Command command) {
    try {
      return state.apply(Command.decode(command.encode()));
    } catch (io.forebay.base.fields.MalformedFields e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRefused(Result result, String why) {
    assertThat(result).isInstanceOf(Result.Refused.class);
    assertThat(((Result.Refused) result).sentence()).contains(why);
  }

  @Test
  void aTokenIsGoodForItsUsesUntilItExpires() {
    addToken(Role.SERVER, "", 2);
    assertRefused(enrol(1, "a", 1, NOW + 60), "unknown or has expired");
    assertThat(enrol(1, "a", 1, NOW)).isInstanceOf(Result.Done.class);
    // The same entry again, and the same request again, whose answer was lost.
    assertThat(enrol(1, "a", 1, NOW)).isInstanceOf(Result.Done.class);
    assertThat(enrol(2, "a", 1, NOW)).isInstanceOf(Result.Done.class);
    assertThat(enrol(3, "b", 2, NOW)).isInstanceOf(Result.Done.class);
    assertRefused(enrol(4, "c", 3, NOW), "has been used");
  }

  @Test
  void aTokenIsForItsRoleAndName() {
    addToken(Role.AGENT, "", 1);
    assertRefused(enrol(1, "a", 1, NOW), "is for role agent, not server");
    state = new ManagerState();
    addToken(Role.SERVER, "b", 1);
    assertRefused(enrol(1, "a", 1, NOW), "is for server 'b', not for server 'a'");
    assertThat(enrol(1, "b", 1, NOW)).isInstanceOf(Result.Done.class);
  }

  @Test
  void aTokenDoesNotTakeAServersNameOver() {
    addToken(Role.SERVER, "", 9);
    enrol(1, "a", 1, NOW);
    assertRefused(enrol(2, "a", 2, NOW), "certificates revoke a");
    apply(new Command.RevokeCertificates(0, "a", List.of(), NOW));
    assertThat(state.certificates().revoked()).containsExactly(1L);
    assertThat(enrol(3, "a", 2, NOW)).isInstanceOf(Result.Done.class);
  }

  @Test
  void onlyValidCertificatesAreRenewed() {
    addToken(Role.SERVER, "", 9);
    enrol(1, "a", 1, NOW);
    assertThat(renew(2, 1, "a", NOW + 600)).isInstanceOf(Result.Done.class);
    assertRefused(renew(3, 1, "b", NOW + 600), "cannot be renewed");
    assertRefused(renew(3, 77, "a", NOW + 600), "cannot be renewed");
    assertRefused(renew(3, 1, "a", NOW + 1000), "cannot be renewed");
    apply(new Command.RevokeCertificates(2, "", List.of(), NOW + 600));
    assertRefused(renew(3, 2, "a", NOW + 700), "cannot be renewed");
  }

  @Test
  void expiredTokensAndCertificatesAreForgottenAndTheirNumberIsBounded() {
    addToken(Role.SERVER, "", 9);
    enrol(1, "a", 1, NOW);
    apply(new Command.RevokeCertificates(1, "", List.of(), NOW + 2000));
    assertThat(state.certificates().after(0, 10).certificates()).isEmpty();
    assertThat(state.certificates().token(TOKEN)).isNull();
    for (int i = 0; i < CertificateBook.TOKENS_MAX; i++) {
      Bytes secret = JoinToken.sha256(new byte[] {(byte) i, (byte) (i >> 8)});
      apply(
          new Command.AddToken(
              new CertificateBook.Token(secret, Role.AGENT, "", NOW + 60, 1), NOW));
    }
    assertThat(addToken(Role.SERVER, "", 1))
        .isInstanceOfSatisfying(
            Result.Refused.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BUSY));
  }

  @Test
  void aNameHasABoundedNumberOfCertificates() {
    addToken(Role.SERVER, "", 9);
    enrol(1, "a", 1, NOW);
    for (int i = 2; i <= CertificateBook.CERTIFICATES_OF_A_NAME_MAX; i++) {
      assertThat(renew(i, 1, "a", NOW)).isInstanceOf(Result.Done.class);
    }
    assertRefused(renew(1000, 1, "a", NOW), "no more are issued");
  }

  @Test
  void itSurvivesASnapshot() throws Exception {
    addToken(Role.SERVER, "", 2);
    enrol(1, "a", 1, NOW);
    enrol(2, "b", 2, NOW);
    apply(new Command.RevokeCertificates(2, "", List.of(), NOW));
    ManagerState other = new ManagerState();
    other.restore(state.snapshot());
    assertThat(other.certificates().content()).isEqualTo(state.certificates().content());
    assertThat(other.certificates().revoked()).isEqualTo(List.of(2L));
    assertThat(other.certificates().token(TOKEN).usesLeft()).isZero();
  }

  private void enterOwn(long serial, Role role, String name, long at) {
    CertificateBook.Issued own =
        new CertificateBook.Issued(
            serial, role, name, hash(9), Bytes.EMPTY, at, at + 1000, false, ROOT, false);
    assertThat(apply(new Command.EnterCertificate(own, at))).isInstanceOf(Result.Done.class);
  }

  @Test
  void aServerIsRevokedWhenNoneOfItsCertificatesIsValid() {
    addToken(Role.SERVER, "", 9);
    enrol(1, "a", 1, NOW);
    enrol(2, "b", 2, NOW);
    renew(3, 1, "a", NOW + 10);
    apply(new Command.RevokeCertificates(3, "", List.of(), NOW + 10));
    assertThat(state.certificates().revokedServers()).isEmpty();
    apply(new Command.RevokeCertificates(1, "", List.of(), NOW + 10));
    assertThat(state.certificates().revokedServers()).containsExactly("a");
    assertThat(enrol(4, "a", 4, NOW + 20)).isInstanceOf(Result.Done.class);
    assertThat(state.certificates().revokedServers()).isEmpty();
  }

  @Test
  void theCertificatesOfTheManagersMachineAreListedAndRevoked() {
    enterOwn(5, Role.MANAGER, "node1", NOW);
    enterOwn(6, Role.ADMIN, "operator", NOW);
    // The same one again, after a restart.
    enterOwn(6, Role.ADMIN, "operator", NOW);
    assertThat(state.certificates().after(0, 10).certificates())
        .extracting(each -> each.role() + " " + each.name())
        .containsExactly("MANAGER node1", "ADMIN operator");
    apply(new Command.RevokeCertificates(0, "operator", List.of(), NOW));
    assertThat(state.certificates().revoked()).containsExactly(6L);
    // Only servers take part in the ring.
    assertThat(state.certificates().revokedServers()).isEmpty();
  }

  @Test
  void aNameIsRevokedInTheRolesThatAreMeant() {
    enterOwn(5, Role.MANAGER, "node1", NOW);
    enterOwn(6, Role.AGENT, "node1", NOW);
    apply(new Command.RevokeCertificates(0, "node1", List.of(Role.AGENT), NOW));
    assertThat(state.certificates().revoked()).containsExactly(6L);
    apply(new Command.RevokeCertificates(0, "node1", List.of(), NOW));
    assertThat(state.certificates().revoked()).containsExactly(5L, 6L);
  }

  private Result join(long serial, int key, long issuer) {
    return apply(
        new Command.IssueCertificate(
            new CertificateBook.Issued(
                serial, Role.MANAGER, "m2", hash(key), TOKEN, NOW, NOW + 1000, false, issuer, true),
            TOKEN,
            0));
  }

  private void enter(long serial, Role role, long issuer) {
    CertificateBook.Issued own =
        new CertificateBook.Issued(
            serial, role, "m2", hash(9), Bytes.EMPTY, NOW, NOW + 1000, false, issuer, false);
    assertThat(apply(new Command.EnterCertificate(own, NOW))).isInstanceOf(Result.Done.class);
  }

  @Test
  void withACaAllIsRevokedThatItHasSigned() {
    addToken(Role.MANAGER, "", 9);
    join(1, 1, ROOT);
    // A manager that lost its disk has another CA; the former one stays.
    assertThat(join(2, 2, 1)).isInstanceOf(Result.Done.class);
    enter(3, Role.MANAGER, ROOT);
    enter(4, Role.MANAGER, 1);
    enter(5, Role.ADMIN, 2);
    apply(new Command.RevokeCertificates(1, "", List.of(), NOW));
    assertThat(state.certificates().revoked()).containsExactly(1L, 2L, 4L, 5L);
    assertThat(state.certificates().revocable(1, "", List.of())).isEmpty();
    // Its manager may not know it yet.
    enter(6, Role.MANAGER, 2);
    assertThat(state.certificates().revoked()).contains(6L);
    assertRefused(join(7, 3, 1), "is revoked");
    assertThat(join(7, 3, ROOT)).isInstanceOf(Result.Done.class);
  }
}
