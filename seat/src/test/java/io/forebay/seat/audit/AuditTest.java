// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.seat.audit.AuditEvent.Subject;
import io.forebay.wire.Connection;
import io.forebay.wire.LogPace;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which answers are recorded, and what of them. */
class AuditTest {
  private static final Identity WHO = new Identity(1234, List.of(1));
  private static final Message DESTROY = new Maps.DestroyInstance(7, "mine", WHO);
  private static final Message DENIED =
      new Replies.Failed(ErrorCode.NOT_PERMITTED, "it is not yours");

  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "here", 11);

  private final List<AuditEvent> recorded = new ArrayList<>();
  private final AuditEvents events =
      new AuditEvents() {
        @Override
        public void audited(AuditEvent event) {
          recorded.add(event);
        }
      };

  /** A connection of a peer with that proof, whose other methods are not used. */
  private static Connection from(PeerProof proof) {
    return (Connection)
        Proxy.newProxyInstance(
            AuditTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "peer" -> proof;
                  case "remote" -> "10.0.0.1:99";
                  case "hello" -> HELLO;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void answer(PeerProof proof, Message request, Message reply) {
    answer(proof, request, reply, "");
  }

  private void answer(PeerProof proof, Message request, Message reply, String note) {
    new ManagerAudit(events, connection -> null).of(from(proof), request).accept(reply, note);
  }

  @Test
  void aDecisionIsRecordedWithWhatThePeerHasProved() {
    answer(PeerProof.NONE, DESTROY, new Replies.Done());
    answer(PeerProof.local(new Identity(0, List.of(0))), DESTROY, DENIED);
    PeerCertificate certificate = new PeerCertificate("CN=node1", List.of());
    answer(new PeerProof(certificate, null), new Maps.Leave("s1"), new Replies.Done());
    Subject mine = new Subject("mine", "");
    assertThat(recorded)
        .containsExactly(
            new AuditEvent("unproved CLIENT", 1234, "10.0.0.1:99", "DestroyInstance", mine, null),
            new AuditEvent(
                "user 0 of this machine",
                1234,
                "10.0.0.1:99",
                "DestroyInstance",
                mine,
                "it is not yours"),
            new AuditEvent(
                "certificate of CN=node1",
                null,
                "10.0.0.1:99",
                "Leave",
                new Subject("", "server s1"),
                null));
  }

  @Test
  void whatIsAskedAgainAndWhatOnlyAsksIsNot() {
    answer(PeerProof.NONE, DESTROY, new Replies.Failed(ErrorCode.UNAVAILABLE, "starting"));
    answer(PeerProof.NONE, new Maps.GetMap(0), new Replies.Done());
    answer(PeerProof.NONE, new Maps.GetMap(0), new Replies.Failed(ErrorCode.MALFORMED, "bad"));
    assertThat(recorded).isEmpty();
  }

  @Test
  void everyRefusalForLackOfARightIs() {
    for (ErrorCode code :
        List.of(
            ErrorCode.REFUSED,
            ErrorCode.ACCESS_DENIED,
            ErrorCode.NOT_PERMITTED,
            ErrorCode.UNPROVED)) {
      answer(PeerProof.NONE, new Maps.GetMap(0), new Replies.Failed(code, "no"));
      new RefusalAudit(events, number -> null)
          .refused(from(PeerProof.NONE), new Maps.Ping(0), new Replies.Failed(code, "no"), null);
    }
    new RefusalAudit(events, number -> null)
        .refused(
            from(PeerProof.NONE),
            new Maps.Ping(0),
            new Replies.Failed(ErrorCode.BUSY, "later"),
            null);
    assertThat(recorded).hasSize(8).allMatch(event -> "no".equals(event.refusal()));
  }

  @Test
  void aRefusalAtTheDoorNamesOperationInstanceAndCapability() {
    Names.Request lookUp =
        new Names.Request(
            GroupId.of(new SeatId(1), 1),
            1,
            7,
            0,
            1,
            0,
            0,
            0,
            true,
            new Identity(5002, List.of(5002)),
            new Names.Lookup(Names.ROOT, "f", true));
    Replies.Failed no = new Replies.Failed(ErrorCode.REFUSED, "no");
    RefusalAudit audit = new RefusalAudit(events, number -> null);
    audit.refused(from(PeerProof.NONE), lookUp, no, "capability of user 5001");
    Identity local = new Identity(5003, List.of(5003));
    audit.refused(from(PeerProof.local(local)), lookUp, no, "capability of user 5001");
    assertThat(recorded)
        .extracting(AuditEvent::principal)
        .containsExactly("capability of user 5001", "user 5003 of this machine");
    assertThat(recorded).allMatch(event -> event.action().equals("Lookup"));
    assertThat(recorded).allMatch(event -> event.subject().instance().equals("#7"));
  }

  @Test
  void tokensAndCertificatesAreRecordedUnderOneNameOfTheToken() {
    byte[] secret = {1, 2, 3};
    Bytes hash = JoinToken.sha256(secret);
    String token = HexFormat.of().formatHex(hash.toArray(), 0, 4);
    answer(
        PeerProof.NONE,
        new Enrolment.CreateToken(hash, Role.SERVER, "", 1800, 2),
        new Enrolment.TokenMade(hash, 7));
    Enrolment.Enrol enrol =
        new Enrolment.Enrol(
            Bytes.copyOf(secret), Role.SERVER, "a", List.of(), Bytes.EMPTY, Bytes.EMPTY);
    answer(
        PeerProof.NONE,
        enrol,
        new Enrolment.Enrolled(List.of(), Bytes.EMPTY),
        "number 1f until then");
    answer(PeerProof.NONE, enrol, new Replies.Failed(ErrorCode.EXISTS, "it has one already"));
    PeerProof server =
        new PeerProof(new PeerCertificate("CN=a", List.of("urn:forebay:server:a")), null);
    answer(
        server,
        new Enrolment.Renew(List.of(), Bytes.EMPTY, Bytes.EMPTY),
        new Enrolment.Enrolled(List.of(), Bytes.EMPTY),
        "number 2f until later");
    answer(
        PeerProof.NONE,
        new Enrolment.Revoke(0x2f, "", List.of()),
        new Enrolment.Revoked(1),
        "server 'a'");
    answer(server, new Enrolment.GetRevoked(), new Enrolment.RevokedAre(List.of()));
    new ManagerAudit(events, connection -> null).tokenExpired(hash, Role.SERVER, "", 1);
    assertThat(recorded)
        .extracting(event -> event.action() + ": " + event.subject().detail())
        .containsExactly(
            "CreateToken: token " + token + " for any server, 2 uses within 1800 s",
            "Enrol: server 'a' by token " + token + ", number 1f until then",
            "Enrol: server 'a' by token " + token,
            "Renew: server 'a', number 2f until later",
            "Revoke: number 2f, server 'a'",
            "TokenExpired: token " + token + " for any server, 1 use left");
    assertThat(recorded.get(2).refusal()).isEqualTo("it has one already");
    assertThat(recorded.get(3).principal()).isEqualTo("certificate of server 'a'");
    assertThat(recorded.get(5).principal()).isEqualTo(AuditEvent.ITSELF);
  }

  @Test
  void malformedFramesOfOnePrincipalAreRecordedOnceInAWhile() {
    AtomicLong now = new AtomicLong();
    MalformedAudit audit = new MalformedAudit(events, now::get);
    for (int i = 0; i < 1000; i++) audit.sent(from(PeerProof.NONE), "no frame");
    audit.sent(from(PeerProof.local(WHO)), "a second greeting");
    now.addAndGet(LogPace.PAUSE_NANOS);
    audit.sent(from(PeerProof.NONE), "no frame");
    assertThat(recorded)
        .allMatch(event -> event.action().equals("MalformedFrame"))
        .extracting(event -> event.principal() + " " + event.refusal())
        .containsExactly(
            "unproved CLIENT sent no frame; its connection is closed",
            "user 1234 of this machine sent a second greeting; its connection is closed",
            "unproved CLIENT sent no frame; its connection is closed (and 999 more before it)");
  }

  @Test
  void aSessionThatExpiresIsRecordedWithItsUser() {
    NameAudit audit = new NameAudit(events);
    SessionKey key = new SessionKey(3, 0, 0x1f);
    audit.expiring(key, null, "n1").accept(true);
    audit.heard(key, WHO);
    audit.expiring(key, null, "n1").accept(false);
    audit.expiring(key, null, "n1").accept(true);
    audit.ended(key);
    audit.expiring(key, null, "n1").accept(true);
    Subject subject = new Subject("#3", "session 1f, node n1");
    AuditEvent unknown =
        new AuditEvent(AuditEvent.ITSELF, null, "", "SessionExpired", subject, null);
    assertThat(recorded)
        .containsExactly(
            unknown,
            new AuditEvent(AuditEvent.ITSELF, 1234, "", "SessionExpired", subject, null),
            unknown);
  }
}
