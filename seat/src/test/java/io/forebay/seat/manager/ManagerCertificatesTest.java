// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.seat.manager.access.UserDirectory;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.wire.Limit;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.proof.Trust;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A manager with a CA: what it enters into its book, and what it tells its peers of it. */
class ManagerCertificatesTest {
  private static final long SECOND = ManagerWorld.SECOND;

  /** Signs at once; its own certificates are numbers that the test chooses. */
  private static final class Ca implements Signer {
    private final List<Enrolment.OwnCertificate> own = new ArrayList<>();
    private List<Long> revoked = List.of();
    private Runnable whenOwnChanges = () -> {};

    /** Whether it never answers. */
    private boolean hangs;

    @Override
    public Bytes authority() {
      return JoinToken.sha256(new byte[] {1});
    }

    @Override
    public void sign(Request request, Consumer<Answer> answer) {
      if (!hangs) answer.accept(new Answer.Signed(List.of(), Bytes.EMPTY, 1, 2_000_000));
    }

    @Override
    public List<Enrolment.OwnCertificate> own() {
      return List.copyOf(own);
    }

    @Override
    public void whenOwnChanges(Runnable action) {
      whenOwnChanges = action;
    }

    @Override
    public void revoked(List<Long> serials) {
      revoked = serials;
    }

    void make(long serial, Role role, String name) {
      own.add(
          new Enrolment.OwnCertificate(
              serial,
              role,
              name,
              JoinToken.sha256(new byte[] {(byte) serial}),
              999_000,
              2_000_000,
              1));
      whenOwnChanges.run();
    }
  }

  private final Ca ca = new Ca();

  private ManagerWorld world(Trust trust) throws Exception {
    return new ManagerWorld(1, new ManagerConfig(2, 10 * SECOND, 2), trust, ca);
  }

  private ManagerWorld world() throws Exception {
    return world(Trust.ofProofs(0));
  }

  private static List<Enrolment.Certificate> certificates(ManagerWorld.Peer admin) {
    return ((Enrolment.CertificatesAre) admin.ask(new Enrolment.ListCertificates(0, 100)))
        .certificates();
  }

  private static long enrol(ManagerWorld.Peer peer, String server) {
    Bytes secret = Bytes.copyOf(server.getBytes(StandardCharsets.UTF_8));
    Bytes hash = JoinToken.sha256(secret.toArray());
    assertThat(peer.ask(new Enrolment.CreateToken(hash, Role.SERVER, "", 60, 1)))
        .isInstanceOf(Enrolment.TokenMade.class);
    assertThat(
            peer.ask(
                new Enrolment.Enrol(
                    secret, Role.SERVER, server, List.of(), Bytes.EMPTY, Bytes.EMPTY)))
        .isInstanceOf(Enrolment.Enrolled.class);
    return certificates(peer).stream()
        .filter(each -> each.name().equals(server))
        .findAny()
        .orElseThrow()
        .serial();
  }

  @Test
  void theCertificatesOfItsOwnMachineAreInTheBook() throws Exception {
    ca.make(5, Role.MANAGER, "node1");
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    world.until(() -> certificates(admin).size() == 1, "the manager's own");
    ca.make(6, Role.ADMIN, "operator");
    world.until(() -> certificates(admin).size() == 2, "the administrator's");
    assertThat(admin.ask(new Enrolment.Revoke(0, "operator", List.of())))
        .isEqualTo(new Enrolment.Revoked(1));
    assertThat(ca.revoked).containsExactly(6L);
    assertThat(certificates(admin))
        .extracting(each -> each.role() + " " + each.revoked())
        .containsExactly("MANAGER false", "ADMIN true");

    // They are there after a restart, and are not entered twice.
    world.kill();
    world.start();
    ManagerWorld.Peer again = world.client();
    world.until(() -> world.told.stream().filter(each -> each.contains("leads")).count() == 2, "");
    world.pass(SECOND);
    assertThat(certificates(again)).hasSize(2);
    assertThat(ca.revoked).containsExactly(6L);
  }

  @Test
  void tokensThatFindNoRoomAreCounted() throws Exception {
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    long all = Limit.TOKENS.value();
    for (long i = 0; i < all; i++) token(admin, "token" + i, 1);
    assertThat(reached(admin, Limit.TOKENS)).isZero();
    assertThat(admin.refusal(create("one more", 1))).contains("256 tokens");
    assertThat(reached(admin, Limit.TOKENS)).isEqualTo(1);
  }

  @Test
  void certificatesThatFindNoRoomAreCounted() throws Exception {
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    int ofName = 32;
    Bytes secret = token(admin, "token", ofName + 1);
    for (int i = 0; i < ofName; i++) {
      assertThat(admin.ask(enrol(secret, i))).isInstanceOf(Enrolment.Enrolled.class);
    }
    assertThat(reached(admin, Limit.CERTIFICATES)).isZero();
    assertThat(admin.refusal(enrol(secret, ofName))).contains("no more are issued");
    assertThat(reached(admin, Limit.CERTIFICATES)).isEqualTo(1);
  }

  @Test
  void signaturesThatTheCaHasNoTimeForAreCounted() throws Exception {
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    Bytes secret = token(admin, "token", 100);
    ca.hangs = true;
    int all = Math.toIntExact(Limit.SIGNATURES.value());
    for (int i = 0; i < all; i++) admin.send(enrol(secret, i));
    assertThat(reached(admin, Limit.SIGNATURES)).isZero();
    assertThat(admin.refusal(enrol(secret, all))).isEqualTo("the CA is busy; try again");
    assertThat(reached(admin, Limit.SIGNATURES)).isEqualTo(1);
  }

  private static Bytes secret(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Enrolment.CreateToken create(String secret, int uses) {
    Bytes hash = JoinToken.sha256(secret(secret).toArray());
    return new Enrolment.CreateToken(hash, Role.USER, "1000", 60, uses);
  }

  private static Bytes token(ManagerWorld.Peer admin, String secret, int uses) {
    assertThat(admin.ask(create(secret, uses))).isInstanceOf(Enrolment.TokenMade.class);
    return secret(secret);
  }

  private static Enrolment.Enrol enrol(Bytes secret, int key) {
    Bytes each = Bytes.copyOf(new byte[] {(byte) key});
    return new Enrolment.Enrol(secret, Role.USER, "1000", List.of(), each, Bytes.EMPTY);
  }

  private static long reached(ManagerWorld.Peer peer, Limit limit) {
    return ((Statuses.ManagerStatus) peer.ask(new Statuses.GetStatus()))
        .limits().stream()
            .filter(each -> each.limit().equals(limit.text()))
            .findAny()
            .orElseThrow()
            .reached();
  }

  @Test
  void provedPeersLearnOfRevocationsAndStrangersDoNot() throws Exception {
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    long serial = enrol(admin, "server-1");
    ManagerWorld.Peer user = world.client();
    ManagerWorld.Peer stranger = world.stranger();
    assertThat(user.trust).isEmpty();
    admin.ask(new Enrolment.Revoke(serial, "", List.of()));
    world.until(() -> !user.trust.isEmpty(), "the news");
    Access.TrustIs news = new Access.TrustIs(false, List.of(serial), List.of("server-1"));
    assertThat(user.trust).containsExactly(news);
    ManagerWorld.Peer later = world.client();
    world.until(() -> !later.trust.isEmpty(), "the news at the beginning");
    assertThat(later.trust).containsExactly(news);
    world.pass(SECOND);
    assertThat(stranger.trust).isEmpty();
    assertThat(world.stranger().trust).isEmpty();
    // One whose groups are known later is told then.
    List<Consumer<UserDirectory.Found>> pending = new ArrayList<>();
    world.users = (proved, answer) -> pending.add(answer);
    ManagerWorld.Peer slow = world.as(PeerProof.local(new Identity(1234, List.of(1234))));
    assertThat(slow.trust).isEmpty();
    pending.remove(0).accept(new UserDirectory.Found.Groups(List.of(1)));
    world.until(() -> !slow.trust.isEmpty(), "the news after the groups");
    assertThat(slow.trust).containsExactly(news);
  }

  @Test
  void anOpenManagerSaysSoAtOnce() throws Exception {
    ManagerWorld world = world(Trust.OPEN);
    ManagerWorld.Peer peer = world.stranger();
    world.until(() -> !peer.trust.isEmpty(), "a word on it");
    assertThat(peer.trust).containsExactly(new Access.TrustIs(true, List.of(), List.of()));
  }

  @Test
  void theSeatsOfARevokedServerAreAwayAlthoughNoNeighbourReportsThem() throws Exception {
    ManagerWorld world = world();
    ManagerWorld.Peer admin = world.client();
    long serial = enrol(admin, Offers.init(2, 1, 1).server());
    world.form(2, 1);
    // Both are silent from now on: nobody has reported that.
    world.pass(10 * SECOND);
    assertThat(map(admin).seats()).noneMatch(seat -> seat.away());
    admin.ask(new Enrolment.Revoke(serial, "", List.of()));
    world.until(() -> map(admin).seats().get(1).away(), "its absence");
    assertThat(map(admin).seats().get(0).away()).isFalse();
  }

  private static io.forebay.ring.RingMap map(ManagerWorld.Peer peer) {
    return ManagerWorld.map(peer.ask(new Maps.GetMap(0)));
  }
}
