// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.client.core.retry.Backoff;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.proof.UserCredential;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a client proves its user to a manager by credentials. */
class ManagerProofTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String HOST = "manager";
  private static final Address ADDRESS = new Address.Inet(HOST, 1);

  private long now = 1;
  private final Timers timers = new Timers(() -> now);
  private final MemoryNetwork network =
      new MemoryNetwork(timers, new Random(1), MemoryOptions.PERFECT);
  private final Manager manager = new Manager();
  private final List<String> contents = new ArrayList<>();
  private final List<Consumer<UserProof.Made>> makers = new ArrayList<>();
  private final List<Message> answers = new ArrayList<>();
  private final List<Link.Loss> losses = new ArrayList<>();
  private int tries;
  private Link link;

  /** Writes down what it gets. */
  private static final class Manager implements Handler {
    private final List<Message> received = new ArrayList<>();
    private Message toProof = new Replies.Done();
    private Connection connection;
    private int connections;

    @Override
    public void opened(Connection opened) {
      connection = opened;
      connections++;
    }

    @Override
    public void received(Connection from, long request, Message message) {
      received.add(message);
      from.send(request, message instanceof Access.Prove ? toProof : new Replies.Done());
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection ended, String reason) {}
  }

  @BeforeEach
  void listen() throws Exception {
    certify("urn:forebay:manager:m");
    network.at(HOST).listen(ADDRESS, hello -> new Handshake.Welcome(1, 1, 1000, 1000), manager);
    LinkGround ground =
        new LinkGround(
            timers,
            network.at("client"),
            Backoff.jittered(2_000_000, 500_000_000, new Random(1)),
            5 * SECOND,
            SECOND / 2,
            () -> Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, "", 1),
            map -> {});
    link = new Link(ground, Handshake.Lane.CONTROL, List.of(ADDRESS), 5 * SECOND);
    link.provedBy(new ManagerProof(this::make, timers, () -> tries++));
  }

  private void certify(String role) {
    PeerCertificate certificate = new PeerCertificate("CN=x", List.of(role), "1");
    network.prove(HOST, new PeerProof(certificate, null));
  }

  private void make(String content, Consumer<UserProof.Made> answer) {
    contents.add(content);
    makers.add(answer);
  }

  private void ask() {
    link.send(
        new Maps.GetMap(0),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            answers.add(message);
          }

          @Override
          public void lost(Link.Loss loss) {
            losses.add(loss);
          }
        });
  }

  private void pass(long nanos) {
    long until = now + nanos;
    while (true) {
      if (timers.runDue()) continue;
      long next = timers.nextNanos();
      if (next == Timers.NEVER || now + next > until) break;
      now += next;
    }
    now = until;
  }

  private void made(String credential) {
    makers.remove(0).accept(new UserProof.Made.Credential(credential));
    pass(SECOND);
  }

  private static Access.Prove proof(String credential) {
    return new Access.Prove(Bytes.copyOf(credential.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void requestsWaitUntilTheManagerHasTakenTheCredential() {
    ask();
    pass(20 * SECOND);
    assertThat(manager.received).as("nothing is sent before the credential is made").isEmpty();
    assertThat(losses).isEmpty();
    assertThat(contents)
        .containsExactly(UserCredential.content(manager.connection.channelBinding()));
    made("c1");
    assertThat(manager.received).containsExactly(proof("c1"), new Maps.GetMap(0));
    assertThat(answers).containsExactly(new Replies.Done());
  }

  @Test
  void anotherManagersCertificateGetsAnotherCredential() {
    ask();
    pass(SECOND);
    link.close("done");
    String first = contents.get(0);
    network.prove(
        HOST,
        new PeerProof(new PeerCertificate("CN=x", List.of("urn:forebay:manager:m"), "2"), null));
    assertThat(UserCredential.content(manager.connection.channelBinding())).isNotEqualTo(first);
  }

  @Test
  void aServerGetsNoCredential() {
    certify("urn:forebay:server:s");
    ask();
    pass(SECOND);
    assertThat(contents).isEmpty();
    assertThat(manager.received).isEmpty();
    assertThat(answers)
        .singleElement()
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo(ErrorCode.REFUSED);
              assertThat(failed.detail()).contains("is no manager by its certificate");
            });
  }

  @Test
  void afterARefusalNothingIsSentForAWhile() {
    Replies.Failed refusal = new Replies.Failed(ErrorCode.REFUSED, "it has expired");
    manager.toProof = refusal;
    ask();
    pass(SECOND / 10);
    made("c1");
    assertThat(answers).containsExactly(refusal);
    ask();
    pass(SECOND / 10);
    assertThat(answers).containsExactly(refusal, refusal);
    assertThat(manager.connections).isEqualTo(1);
    assertThat(tries).isZero();
    pass(ManagerProof.PAUSE_NANOS);
    assertThat(tries).isEqualTo(1);
    manager.toProof = new Replies.Done();
    ask();
    pass(SECOND / 10);
    made("c2");
    assertThat(answers).last().isEqualTo(new Replies.Done());
    assertThat(manager.received).containsExactly(proof("c1"), proof("c2"), new Maps.GetMap(0));
  }

  @Test
  void withoutACredentialTheReasonIsTold() {
    ask();
    pass(SECOND);
    makers.remove(0).accept(new UserProof.Made.Failed("munged is not running; start it"));
    pass(SECOND / 10);
    assertThat(answers)
        .containsExactly(new Replies.Failed(ErrorCode.REFUSED, "munged is not running; start it"));
    assertThat(manager.received).isEmpty();
  }

  @Test
  void aCredentialOfALostConnectionIsNotSentOnTheNextOne() {
    ask();
    pass(SECOND);
    manager.connection.close("cut");
    pass(SECOND);
    assertThat(losses).hasSize(1);
    ask();
    pass(SECOND);
    made("c1");
    assertThat(manager.received).isEmpty();
    made("c2");
    assertThat(manager.received).containsExactly(proof("c2"), new Maps.GetMap(0));
  }
}
