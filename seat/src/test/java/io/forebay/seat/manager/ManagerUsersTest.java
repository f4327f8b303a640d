// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.proof.AccessKey;
import io.forebay.base.proof.Capability;
import io.forebay.seat.manager.access.CapabilityDesk;
import io.forebay.seat.manager.access.CredentialCheck;
import io.forebay.seat.manager.access.CredentialCheck.Result;
import io.forebay.seat.manager.access.UserDirectory.Found;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.proof.UserCredential;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users that prove themselves to a manager by credentials or certificates, and their groups. */
class ManagerUsersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int ALICE = 1000;
  private static final int BOB = 2000;
  private static final int CAROL = 3000;
  private static final int PROJECT = 77;

  private final Set<Bytes> used = new HashSet<>();
  private int made;
  private ManagerWorld world;

  @BeforeEach
  void form() throws Exception {
    world = new ManagerWorld(1, new ManagerConfig(1, SECOND, 1));
    world.form(1, 1);
    world.certify("forebay:manager:m");
    Map<Integer, List<Integer>> groups =
        Map.of(ALICE, List.of(100, PROJECT), BOB, List.of(200, PROJECT), CAROL, List.of(300));
    world.users =
        (proved, answer) -> {
          List<Integer> known = groups.get(proved.user());
          answer.accept(
              known == null ? new Found.Unknown("no such user") : new Found.Groups(known));
        };
    world.credentials = (credential, answer) -> answer.accept(decoded(credential));
    Maps.CreateInstance create =
        new Maps.CreateInstance(
            Offers.op(),
            "project",
            new Identity(ALICE, List.of(PROJECT)),
            "persistent",
            "shared",
            0,
            1,
            false,
            "continue",
            "ketama",
            0,
            0,
            "",
            "",
            "",
            false,
            "",
            "group",
            "squash",
            0,
            "");
    assertThat(world.client().ask(create)).isInstanceOf(Maps.InstanceMade.class);
    // The manager draws its first key a moment after its start.
    world.pass(2 * SECOND);
  }

  /** A credential of these tests: who made it, and the content. */
  private Bytes credential(int user, String content) {
    String text = user + "|" + content + "|" + made++;
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private Result decoded(Bytes credential) {
    if (!used.add(credential)) return new Result.Refused("it was used before");
    String[] parts = new String(credential.toArray(), StandardCharsets.UTF_8).split("\\|", -1);
    int user = Integer.parseInt(parts[0]);
    return new Result.Genuine(new Identity(user, List.of(user)), parts[1]);
  }

  private ManagerWorld.Peer stranger() {
    return world.as(PeerProof.NONE);
  }

  private ManagerWorld.Peer proved(ManagerWorld.Peer peer, int user) {
    assertThat(prove(peer, user)).isInstanceOf(Replies.Done.class);
    return peer;
  }

  private Message prove(ManagerWorld.Peer peer, int user) {
    String content = UserCredential.content(peer.connection.channelBinding());
    return peer.ask(new Access.Prove(credential(user, content)));
  }

  private ManagerWorld.Peer certified(int user) {
    List<String> names = List.of("urn:forebay:user:" + user);
    return world.as(new PeerProof(new PeerCertificate("CN=u", names), null));
  }

  /** As a seat verifies it. */
  private Capability capability(ManagerWorld.Peer peer, String instance) {
    Message given = peer.ask(new Access.GetCapability(instance));
    assertThat(given).isInstanceOf(Access.CapabilityIs.class);
    List<Access.Key> keys = ((Access.KeysAre) world.seat().ask(new Access.GetKeys())).keys();
    Access.Key newest = keys.get(keys.size() - 1);
    return new AccessKey(newest.id(), newest.bytes())
        .verify(((Access.CapabilityIs) given).capability());
  }

  private List<AccessKey> keys() {
    Message told = world.seat().ask(new Access.GetKeys());
    return ((Access.KeysAre) told)
        .keys().stream().map(key -> new AccessKey(key.id(), key.bytes())).toList();
  }

  private static boolean sees(ManagerWorld.Peer peer, String instance) {
    return ManagerWorld.map(peer.ask(new Maps.GetMap(0))).instance(instance) != null;
  }

  private static ErrorCode code(Message answer) {
    return ((Replies.Failed) answer).code();
  }

  @Test
  void aCredentialProvesAUserWithTheGroupsOfTheMachine() {
    ManagerWorld.Peer bob = stranger();
    assertThat(code(bob.ask(new Access.GetUser()))).isEqualTo(ErrorCode.UNPROVED);
    proved(bob, BOB);
    assertThat(bob.ask(new Access.GetUser()))
        .isEqualTo(new Access.UserIs(new Identity(BOB, List.of(200, PROJECT))));
    Capability given = capability(bob, "project");
    assertThat(given.user()).isEqualTo(BOB);
    assertThat(given.groups()).containsExactly(200, PROJECT);
    assertThat(world.audited)
        .anySatisfy(
            event -> {
              assertThat(event.action()).isEqualTo("Prove");
              assertThat(event.principal()).isEqualTo("user 2000 by MUNGE");
              assertThat(event.refusal()).isNull();
            });
  }

  @Test
  void anInstanceOfAGroupIsForCertificatesOfThatGroup() {
    for (ManagerWorld.Peer bob : List.of(certified(BOB), proved(stranger(), BOB))) {
      assertThat(sees(bob, "project")).isTrue();
      assertThat(capability(bob, "project").groups()).contains(PROJECT);
    }
    for (ManagerWorld.Peer carol : List.of(certified(CAROL), proved(stranger(), CAROL))) {
      assertThat(sees(carol, "project")).isFalse();
      assertThat(code(carol.ask(new Access.GetCapability("project"))))
          .isEqualTo(ErrorCode.ACCESS_DENIED);
    }
  }

  @Test
  void oneThatTheMachineDoesNotKnowHasWhatItProved() {
    ManagerWorld.Peer unknown = certified(4000);
    assertThat(unknown.ask(new Access.GetUser()))
        .isEqualTo(new Access.UserIs(new Identity(4000, List.of(4000))));
    assertThat(world.warned)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("the groups of user 4000 are not known: no such user")
                    .contains("[4000] only"));
  }

  @Test
  void requestsWaitUntilTheGroupsAreKnown() {
    List<Consumer<Found>> pending = new ArrayList<>();
    world.users = (proved, answer) -> pending.add(answer);
    ManagerWorld.Peer bob = certified(BOB);
    long request = bob.send(new Maps.GetMap(0));
    world.pass(SECOND);
    assertThat(bob.answer(request)).isNull();
    assertThat(world.client().ask(Offers.create("other", 1))).isInstanceOf(Maps.InstanceMade.class);
    world.pass(SECOND / 10);
    assertThat(bob.pushed).as("a map that hides its instances").isEmpty();
    pending.remove(0).accept(new Found.Groups(List.of(PROJECT)));
    world.until(() -> bob.answer(request) != null, "a map");
    assertThat(ManagerWorld.map(bob.answer(request)).instance("project")).isNotNull();
  }

  @Test
  void aLookupThatHangsEndsWithTheOwnGroup() {
    world.users = (proved, answer) -> {};
    ManagerWorld.Peer bob = certified(BOB);
    assertThat(bob.ask(new Access.GetUser()))
        .isEqualTo(new Access.UserIs(new Identity(BOB, List.of(BOB))));
    assertThat(world.warned).anySatisfy(line -> assertThat(line).contains("within 2 s"));
  }

  @Test
  void keysChangeAndTheFormerOneVerifiesAsLongAsItsCapabilitiesLast() {
    ManagerWorld.Peer bob = certified(BOB);
    Bytes signed =
        ((Access.CapabilityIs) bob.ask(new Access.GetCapability("project"))).capability();
    List<AccessKey> first = keys();
    world.wallSeconds += CapabilityDesk.KEY_SECONDS - 5;
    world.pass(3 * SECOND);
    assertThat(keys()).as("a moment too early").isEqualTo(first);
    world.wallSeconds += 5;
    world.pass(3 * SECOND);
    List<AccessKey> second = keys();
    assertThat(second).hasSize(2).containsAll(first);
    AccessKey newest = second.get(1);
    assertThat(capability(bob, "project").keyId()).isEqualTo(newest.id());
    assertThat(newest.verify(signed)).isNull();
    Capability given = first.getLast().verify(signed);
    assertThat(given).isNotNull();
    world.wallSeconds += CapabilityDesk.KEY_SECONDS;
    world.pass(3 * SECOND);
    assertThat(keys()).hasSize(2).contains(newest).doesNotContainAnyElementsOf(first);
    assertThat(given.expiresSeconds())
        .as("what no key verifies any more has expired")
        .isLessThanOrEqualTo(world.wallSeconds);
  }

  @Test
  void groupsAreLookedUpAgainForEachCapability() {
    ManagerWorld.Peer carol = certified(CAROL);
    assertThat(code(carol.ask(new Access.GetCapability("project"))))
        .isEqualTo(ErrorCode.ACCESS_DENIED);
    world.users = (proved, answer) -> answer.accept(new Found.Groups(List.of(300, PROJECT)));
    assertThat(capability(carol, "project").groups()).containsExactly(300, PROJECT);
  }

  @Test
  void aCredentialForAnotherManagerProvesNothing() {
    ManagerWorld.Peer peer = stranger();
    String elsewhere = UserCredential.content(Bytes.copyOf(new byte[32]));
    for (String content : List.of(elsewhere, "", UserCredential.content(Bytes.EMPTY))) {
      Message answer = peer.ask(new Access.Prove(credential(ALICE, content)));
      assertThat(code(answer)).isEqualTo(ErrorCode.REFUSED);
      assertThat(((Replies.Failed) answer).detail()).contains("another service or manager");
    }
    assertThat(code(peer.ask(new Access.GetUser()))).isEqualTo(ErrorCode.UNPROVED);
    assertThat(world.audited)
        .anySatisfy(
            event -> {
              assertThat(event.action()).isEqualTo("Prove");
              assertThat(event.principal()).startsWith("unproved");
              assertThat(event.refusal()).contains("another service or manager");
            });
    assertThat(((Replies.Failed) prove(peer, ALICE)).detail())
        .as("a good one comes too late")
        .contains("connect again");
    proved(stranger(), ALICE);
  }

  @Test
  void aCredentialCountsOnce() {
    ManagerWorld.Peer first = stranger();
    String content = UserCredential.content(first.connection.channelBinding());
    Access.Prove proof = new Access.Prove(credential(ALICE, content));
    assertThat(first.ask(proof)).isInstanceOf(Replies.Done.class);
    ManagerWorld.Peer second = stranger();
    assertThat(second.refusal(proof)).contains("used before");
    assertThat(code(second.ask(new Access.GetUser()))).isEqualTo(ErrorCode.UNPROVED);
  }

  @Test
  void rootOfAnotherMachineIsNotRoot() {
    ManagerWorld.Peer root = stranger();
    Message answer = prove(root, Identity.ROOT);
    assertThat(code(answer)).isEqualTo(ErrorCode.REFUSED);
    assertThat(((Replies.Failed) answer).detail()).contains("not root of the cluster");
    assertThat(code(root.ask(new Maps.Leave("s1")))).isEqualTo(ErrorCode.UNPROVED);
    ManagerWorld.Peer local = world.client();
    assertThat(prove(local, Identity.ROOT)).isInstanceOf(Replies.Done.class);
    assertThat(local.ask(new Access.GetUser()))
        .as("root of the manager's machine stays an operator")
        .isInstanceOf(Replies.Failed.class);
  }

  @Test
  void aCredentialCountsMoreThanTheKernel() {
    ManagerWorld.Peer local = proved(world.client(), BOB);
    assertThat(local.ask(new Access.GetUser()))
        .isEqualTo(new Access.UserIs(new Identity(BOB, List.of(200, PROJECT))));
    assertThat(code(local.ask(new Maps.Leave("s1")))).isEqualTo(ErrorCode.REFUSED);
  }

  @Test
  void credentialsGoOverTlsAndWithoutACertificate() {
    Message answer = prove(certified(BOB), ALICE);
    assertThat(((Replies.Failed) answer).detail()).contains("connect without one");
    world.uncertify();
    answer = prove(stranger(), ALICE);
    assertThat(((Replies.Failed) answer).detail()).contains("over TLS only");
  }

  @Test
  void withoutAnAnswerOfMungedItIsTriedLater() {
    world.credentials = (credential, answer) -> {};
    ManagerWorld.Peer peer = stranger();
    Message answer = prove(peer, ALICE);
    assertThat(code(answer)).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(((Replies.Failed) answer).detail()).contains("munged on the manager's machine");
    assertThat(world.audited)
        .anySatisfy(event -> assertThat(event.refusal()).contains("does not answer"));
    world.credentials = (credential, result) -> result.accept(decoded(credential));
    proved(peer, ALICE);
  }

  @Test
  void aManagerWithoutMungeSaysSo() {
    world.credentials = CredentialCheck.NONE;
    Message answer = prove(stranger(), ALICE);
    assertThat(((Replies.Failed) answer).detail()).contains("set 'munge = on' there");
  }
}
