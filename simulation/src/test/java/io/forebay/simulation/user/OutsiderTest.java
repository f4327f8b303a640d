// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.StageKeys;
import io.forebay.base.proof.JobCredential;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.simulation.fuzz.LiveValues;
import io.forebay.simulation.fuzz.MessageMaker;
import io.forebay.simulation.fuzz.StrangerRequests;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs that reach all ports and have proved nothing, or less than they claim (P32). */
class OutsiderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Identity ALICE = new Identity(1000, List.of(100));
  private static final Identity BOB = new Identity(2000, List.of(200));
  private static final JobCredential CREDENTIAL =
      JobCredential.draw("17", new SplittableRandom(17));

  private final World world = new World(WorldOptions.CALM, 42);
  private RawClient root;
  private String seat;

  @BeforeEach
  void makeInstance() {
    root = RawClient.withInstance(world, 2, false);
    root.makeInstance(2, "alices", ALICE, "owner");
    root.names(new Names.BeginSession("raw", 60 * SECOND));
    world.runFor(2 * SECOND);
    seat = root.homeOf(root.instance().rootGroup());
  }

  private RawClient as(String host, Handshake.Role role, PeerProof proof) {
    world.network().prove(host, proof);
    return new RawClient(world, role, host);
  }

  private RawClient as(Identity user) {
    return as("of-" + user.user(), Handshake.Role.CLIENT, PeerProof.local(user));
  }

  private static PeerProof certified(String role) {
    return new PeerProof(new PeerCertificate("CN=x", List.of(role)), null);
  }

  private static ErrorCode code(Message answer) {
    return answer instanceof Replies.Failed failed ? failed.code() : ErrorCode.NONE;
  }

  private Message present(RawClient client, String instance, String host) {
    Message given = client.call("manager", Lane.CONTROL, new Access.GetCapability(instance));
    if (!(given instanceof Access.CapabilityIs is)) return given;
    return client.call(host, Lane.CONTROL, new Access.Present(is.capability()));
  }

  @Test
  void aStrangerGetsNothingByAnyMessageInAnyRole() {
    MessageMaker maker = new MessageMaker(new SplittableRandom(1), new LiveValues());
    long epoch = root.map().epoch();
    for (Handshake.Role role : Handshake.Role.values()) {
      RawClient stranger = as("stranger-" + role, role, PeerProof.NONE);
      for (Class<? extends Message> type : StrangerRequests.needProof()) {
        for (String host : List.of("manager", seat)) {
          Message answer = stranger.call(host, Lane.CONTROL, maker.make(type));
          assertThat(StrangerRequests.isRefusal(answer))
              .as("%s from a %s at %s: %s", type.getSimpleName(), role, host, answer)
              .isTrue();
        }
      }
    }
    assertThat(root.map().epoch()).isEqualTo(epoch);
    assertThat(root.names(new Names.Lookup(Names.ROOT, "", true))).isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void aStrangerGetsNoMapUnasked() {
    RawClient stranger = as("stranger", Handshake.Role.CLIENT, PeerProof.NONE);
    assertThat(code(stranger.call("manager", Lane.CONTROL, new Maps.GetMap(0))))
        .isEqualTo(ErrorCode.UNPROVED);
    root.makeInstance(3, "another", Identity.root(), "everyone");
    world.runFor(SECOND);
    assertThat(stranger.unasked).isEmpty();
  }

  @Test
  void anInstanceIsReachedWithItsCapabilityOnly() {
    RawClient alice = as(ALICE);
    assertThat(code(alice.lookUp(root.instance("alices"), ALICE))).isEqualTo(ErrorCode.UNPROVED);
    String home = root.homeOf(root.instance("alices").rootGroup());
    assertThat(present(alice, "alices", home)).isInstanceOf(Replies.Done.class);
    assertThat(code(alice.lookUp(root.instance("alices"), ALICE)))
        .isNotIn(ErrorCode.UNPROVED, ErrorCode.REFUSED);
    // It is for that instance and that user.
    assertThat(code(alice.lookUp(root.instance("alices"), Identity.root())))
        .isEqualTo(ErrorCode.REFUSED);
    assertThat(code(alice.lookUp(root.instance("alices"), new Identity(1000, List.of(200)))))
        .isEqualTo(ErrorCode.REFUSED);
    assertThat(code(alice.lookUp(root.instance(), ALICE))).isEqualTo(ErrorCode.UNPROVED);
  }

  /** As a client does that has proved its user to the manager by a credential. */
  @Test
  void aCapabilityIsEnoughAtASeat() {
    Message given = as(ALICE).call("manager", Lane.CONTROL, new Access.GetCapability("alices"));
    Access.Present shown = new Access.Present(((Access.CapabilityIs) given).capability());
    RawClient stranger = as("stranger", Handshake.Role.CLIENT, PeerProof.NONE);
    String home = root.homeOf(root.instance("alices").rootGroup());
    assertThat(code(stranger.lookUp(root.instance("alices"), ALICE))).isEqualTo(ErrorCode.UNPROVED);
    assertThat(stranger.call(home, Lane.CONTROL, shown)).isInstanceOf(Replies.Done.class);
    assertThat(code(stranger.lookUp(root.instance("alices"), ALICE)))
        .isNotIn(ErrorCode.UNPROVED, ErrorCode.REFUSED);
    assertThat(code(stranger.lookUp(root.instance("alices"), BOB))).isEqualTo(ErrorCode.REFUSED);
    assertThat(code(stranger.lookUp(root.instance(), ALICE))).isEqualTo(ErrorCode.UNPROVED);
  }

  @Test
  void aCredentialThatProvesNothingLeavesAStranger() {
    RawClient stranger = as("stranger", Handshake.Role.CLIENT, PeerProof.NONE);
    Access.Prove proof = new Access.Prove(Bytes.copyOf(new byte[] {1, 2, 3}));
    assertThat(code(stranger.call("manager", Lane.CONTROL, proof))).isEqualTo(ErrorCode.REFUSED);
    assertThat(code(stranger.call(seat, Lane.CONTROL, proof))).isEqualTo(ErrorCode.MALFORMED);
    for (String host : List.of("manager", seat)) {
      assertThat(code(stranger.call(host, Lane.CONTROL, new Maps.GetMap(0))))
          .isEqualTo(ErrorCode.UNPROVED);
    }
  }

  @Test
  void aUserWhoIsNotAdmittedGetsNoCapabilityAndDoesNotSeeTheInstance() throws Exception {
    RawClient bob = as(BOB);
    assertThat(code(present(bob, "alices", seat))).isEqualTo(ErrorCode.ACCESS_DENIED);
    Maps.MapIs told = (Maps.MapIs) bob.call("manager", Lane.CONTROL, new Maps.GetMap(0));
    RingMap map = RingMapCodec.read(told.map());
    assertThat(map.instance("alices")).isNull();
    assertThat(map.instance("i")).isNotNull();
    assertThat(present(bob, "", seat)).isInstanceOf(Replies.Done.class);
    told = (Maps.MapIs) bob.call(seat, Lane.CONTROL, new Maps.GetMap(0));
    assertThat(RingMapCodec.read(told.map()).instance("alices")).isNull();
  }

  @Test
  void aForgedOrChangedCapabilityIsNotTaken() {
    RawClient alice = as(ALICE);
    Message given = alice.call("manager", Lane.CONTROL, new Access.GetCapability("alices"));
    byte[] bytes = ((Access.CapabilityIs) given).capability().toArray();
    bytes[bytes.length - 1] ^= 1;
    assertThat(code(alice.call(seat, Lane.CONTROL, new Access.Present(Bytes.copyOf(bytes)))))
        .isEqualTo(ErrorCode.UNPROVED);
    assertThat(code(alice.call(seat, Lane.CONTROL, new Access.Present(Bytes.EMPTY))))
        .isIn(ErrorCode.UNPROVED, ErrorCode.UNAVAILABLE);
  }

  @Test
  void nobodyActsForAnotherUserAtTheManager() {
    RawClient bob = as(BOB);
    Maps.DestroyInstance destroy = new Maps.DestroyInstance(9, "alices", ALICE);
    assertThat(code(bob.call("manager", Lane.CONTROL, destroy))).isEqualTo(ErrorCode.REFUSED);
    assertThat(code(bob.call("manager", Lane.CONTROL, new Maps.Leave("seat-1"))))
        .isEqualTo(ErrorCode.REFUSED);
    assertThat(root.instance("alices")).isNotNull();
    RawClient alice = as(ALICE);
    assertThat(alice.call("manager", Lane.CONTROL, destroy)).isInstanceOf(Replies.Done.class);
  }

  @Test
  void aServerSpeaksForItsOwnSeatsOnly() {
    RawClient other =
        as("rogue", Handshake.Role.SEAT, certified("urn:forebay:server:no-such-server"));
    Maps.SeatReport report = new Maps.SeatReport(root.map().seats().get(0).id(), 1, Long.MAX_VALUE);
    assertThat(code(other.call("manager", Lane.CONTROL, report))).isEqualTo(ErrorCode.REFUSED);
    Maps.Lease lease =
        new Maps.Lease(
            root.instance().rootGroup(), Long.MAX_VALUE, root.map().seats().get(0).id(), 0);
    assertThat(code(other.call("manager", Lane.CONTROL, lease))).isEqualTo(ErrorCode.REFUSED);
    assertThat(code(other.call(seat, Lane.CONTROL, new io.forebay.wire.message.Loads.AskLoad())))
        .isEqualTo(ErrorCode.REFUSED);
    assertThat(root.call("manager", Lane.CONTROL, new Maps.GetMap(0)))
        .isInstanceOf(Maps.MapIs.class);
  }

  @Test
  void anAgentActsForUsersOfItsNodeAndNotAsRoot() {
    RawClient agent = as("agent", Handshake.Role.CLIENT, certified("urn:forebay:agent:n1"));
    Maps.DestroyInstance asRoot = new Maps.DestroyInstance(9, "alices", Identity.root());
    assertThat(code(agent.call("manager", Lane.CONTROL, asRoot))).isEqualTo(ErrorCode.REFUSED);
    Maps.DestroyInstance asAlice = new Maps.DestroyInstance(10, "alices", ALICE);
    assertThat(agent.call("manager", Lane.CONTROL, asAlice)).isInstanceOf(Replies.Done.class);
  }

  @Test
  void onlyTheAgentOfTheBatchSystemEndsJobs() {
    assertThat(as(ALICE).call("manager", Lane.CONTROL, job())).isInstanceOf(Jobs.JobIs.class);
    for (Identity who : List.of(Identity.root(), ALICE)) {
      Jobs.EndJob end = new Jobs.EndJob(who, "17", true);
      Message answer = agent("n1").call("manager", Lane.CONTROL, end);
      assertThat(code(answer)).isEqualTo(ErrorCode.REFUSED);
      assertThat(((Replies.Failed) answer).detail())
          .isEqualTo(
              "the agent of node 'n1' does not speak for the batch system; that needs a certificate of role batch");
    }
    Jobs.EndJob end = new Jobs.EndJob(Identity.root(), "17", true);
    assertThat(batch("n2").call("manager", Lane.CONTROL, end)).isInstanceOf(Replies.Done.class);
  }

  private Message setAccess(String instance, String permit, String right) {
    Maps.SetAccess set =
        new Maps.SetAccess(world.nanos(), instance, Identity.root(), permit, right);
    Message answer = root.call("manager", Lane.CONTROL, set);
    world.runFor(SECOND);
    return answer;
  }

  private RawClient agent(String node) {
    return as("agent-" + node, Handshake.Role.CLIENT, certified("urn:forebay:agent:" + node));
  }

  private RawClient batch(String node) {
    return as("batch-" + node, Handshake.Role.CLIENT, certified("urn:forebay:batch:" + node));
  }

  @Test
  void aRevokedCapabilityIsNotTakenAndANewOneIs() {
    RawClient alice = as(ALICE);
    String home = root.homeOf(root.instance("alices").rootGroup());
    Message given = alice.call("manager", Lane.CONTROL, new Access.GetCapability("alices"));
    Access.Present old = new Access.Present(((Access.CapabilityIs) given).capability());
    assertThat(alice.call(home, Lane.CONTROL, old)).isInstanceOf(Replies.Done.class);
    assertThat(code(alice.lookUp(root.instance("alices"), ALICE))).isNotEqualTo(ErrorCode.UNPROVED);
    assertThat(setAccess("alices", "", "")).isInstanceOf(Replies.Done.class);
    // The connection that has presented it, and one that presents it now.
    assertThat(code(alice.lookUp(root.instance("alices"), ALICE))).isEqualTo(ErrorCode.UNPROVED);
    assertThat(code(alice.call(home, Lane.CONTROL, old))).isEqualTo(ErrorCode.UNPROVED);
    assertThat(present(alice, "alices", home)).isInstanceOf(Replies.Done.class);
    assertThat(code(alice.lookUp(root.instance("alices"), ALICE))).isNotEqualTo(ErrorCode.UNPROVED);
  }

  @Test
  void aUserWhoIsNoLongerAdmittedIsOut() {
    RawClient bob = as(BOB);
    assertThat(setAccess("alices", "everyone", "")).isInstanceOf(Replies.Done.class);
    String home = root.homeOf(root.instance("alices").rootGroup());
    assertThat(present(bob, "alices", home)).isInstanceOf(Replies.Done.class);
    assertThat(code(bob.lookUp(root.instance("alices"), BOB))).isNotEqualTo(ErrorCode.UNPROVED);
    setAccess("alices", "owner", "");
    assertThat(code(bob.lookUp(root.instance("alices"), BOB))).isEqualTo(ErrorCode.UNPROVED);
    Message refused = present(bob, "alices", home);
    assertThat(refused)
        .isEqualTo(
            new Replies.Failed(
                ErrorCode.ACCESS_DENIED, "instance 'alices' does not admit user 2000"));
  }

  @Test
  void onlyTheOwnerAndOperatorsChangeTheAccess() {
    Maps.SetAccess set = new Maps.SetAccess(77, "alices", BOB, "everyone", "");
    assertThat(code(as(BOB).call("manager", Lane.CONTROL, set))).isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(
            as(ALICE)
                .call("manager", Lane.CONTROL, new Maps.SetAccess(78, "alices", ALICE, "", "")))
        .isInstanceOf(Replies.Done.class);
  }

  /** What a user may do at the root directory, which belongs to the owner, with mode 755. */
  private ErrorCode write(RawClient client, String instance, Identity who) {
    Instance known = root.instance(instance);
    GroupId group = known.rootGroup();
    Names.CheckAccess question = new Names.CheckAccess(Names.ROOT, "", true, Names.MAY_WRITE);
    Names.Request request =
        new Names.Request(
            group,
            root.group(group).epoch(),
            known.id(),
            0,
            RawClient.SESSION,
            0,
            0,
            0,
            true,
            who,
            question);
    return code(client.call(root.homeOf(group), Lane.CONTROL, request));
  }

  /** Begins the tree of an instance, which belongs to its owner. */
  private void beginTree(String instance) {
    Instance known = root.instance(instance);
    GroupId group = known.rootGroup();
    root.call(
        root.homeOf(group),
        Lane.CONTROL,
        new Names.Request(
            group,
            root.group(group).epoch(),
            known.id(),
            0,
            RawClient.SESSION,
            1,
            0,
            0,
            true,
            Identity.root(),
            new Names.BeginSession("raw", 60 * SECOND)));
  }

  @Test
  void rootOfANodeIsNobodyUnlessTheInstanceSaysSo() {
    root.makeInstance(4, "open", ALICE, "everyone");
    world.runFor(SECOND);
    beginTree("open");
    RawClient agent = agent("n1");
    String home = root.homeOf(root.instance("open").rootGroup());
    assertThat(present(agent, "open", home)).isInstanceOf(Replies.Done.class);
    assertThat(write(agent, "open", ALICE)).isEqualTo(ErrorCode.NONE);
    assertThat(write(agent, "open", Identity.root())).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(write(root, "open", Identity.root())).as("an operator").isEqualTo(ErrorCode.NONE);
    setAccess("open", "", "allow");
    assertThat(present(agent, "open", home)).isInstanceOf(Replies.Done.class);
    assertThat(write(agent, "open", Identity.root())).isEqualTo(ErrorCode.NONE);
  }

  @Test
  void rootOfANodeIsNotAdmittedWhereOnlyTheOwnerIs() {
    beginTree("alices");
    RawClient agent = agent("n1");
    String home = root.homeOf(root.instance("alices").rootGroup());
    assertThat(present(agent, "alices", home)).isInstanceOf(Replies.Done.class);
    assertThat(write(agent, "alices", ALICE)).isEqualTo(ErrorCode.NONE);
    assertThat(write(agent, "alices", Identity.root())).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(write(agent, "alices", BOB)).isEqualTo(ErrorCode.ACCESS_DENIED);
  }

  private Jobs.BeginJob job() {
    Maps.CreateInstance own =
        new Maps.CreateInstance(
            5,
            "job-17",
            ALICE,
            "job",
            "shared",
            0,
            2,
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
            "owner",
            "squash",
            0,
            "");
    return new Jobs.BeginJob(
        ALICE,
        "17",
        ALICE.user(),
        ALICE.primaryGroup(),
        "",
        0,
        List.of(),
        List.of(),
        "",
        List.of(own),
        CREDENTIAL.hash());
  }

  private Message capability(RawClient client, Bytes credential) {
    return client.call("manager", Lane.CONTROL, new Access.GetCapability("job-17", credential));
  }

  private Message stage(RawClient client, String instance, Identity who) {
    Instance known = root.instance(instance);
    GroupId group = known.rootGroup();
    Names.Request request =
        new Names.Request(
            group,
            root.group(group).epoch(),
            known.id(),
            0,
            RawClient.SESSION,
            2,
            0,
            0,
            true,
            who,
            new Names.DeletePair(StageKeys.OPEN + "1"));
    return client.call(root.homeOf(group), Lane.CONTROL, request);
  }

  /** Servers carry out stages as the owner: other users that may write must not record any. */
  @Test
  void onlyTheOwnerOfAnInstanceRecordsStages() {
    root.makeInstance(4, "open", ALICE, "everyone");
    world.runFor(SECOND);
    beginTree("open");
    String home = root.homeOf(root.instance("open").rootGroup());
    RawClient bob = as(BOB);
    assertThat(present(bob, "open", home)).isInstanceOf(Replies.Done.class);
    // By the door: the modes of the tree, which the owner may change, do not matter.
    Replies.Failed denied = new Replies.Failed(ErrorCode.ACCESS_DENIED, "only the owner may do it");
    assertThat(stage(bob, "open", BOB).toString())
        .contains("the capability allows to read, write, observe only");
    RawClient agent = agent("n1");
    assertThat(present(agent, "open", home)).isInstanceOf(Replies.Done.class);
    assertThat(stage(agent, "open", BOB)).isEqualTo(denied);
    assertThat(stage(agent, "open", Identity.root())).isEqualTo(denied);
    assertThat(code(stage(agent, "open", ALICE)))
        .isNotIn(ErrorCode.ACCESS_DENIED, ErrorCode.REFUSED);
    RawClient alice = as(ALICE);
    assertThat(present(alice, "open", home)).isInstanceOf(Replies.Done.class);
    assertThat(code(stage(alice, "open", ALICE)))
        .isNotIn(ErrorCode.ACCESS_DENIED, ErrorCode.REFUSED);
  }

  @Test
  void aUserSeesItsOwnJobsOnly() {
    RawClient alice = as(ALICE);
    RawClient bob = as(BOB);
    assertThat(alice.call("manager", Lane.CONTROL, job())).isInstanceOf(Jobs.JobIs.class);
    Jobs.GetJob get = new Jobs.GetJob("17");
    Jobs.ListJobs list = new Jobs.ListJobs("", 10);
    assertThat(code(bob.call("manager", Lane.CONTROL, get))).isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(code(bob.call("manager", Lane.CONTROL, new Jobs.ListNodes("17", "", 10))))
        .isEqualTo(ErrorCode.NOT_PERMITTED);
    assertThat(bob.call("manager", Lane.CONTROL, list))
        .isEqualTo(new Jobs.JobsAre(List.of(), false));
    for (RawClient each : List.of(alice, root, agent("n1"))) {
      assertThat(each.call("manager", Lane.CONTROL, get)).isInstanceOf(Jobs.JobIs.class);
      assertThat(((Jobs.JobsAre) each.call("manager", Lane.CONTROL, list)).jobs()).hasSize(1);
    }
  }

  @Test
  void aUserSeesTheMountsOfItsOwnJobsOnly() {
    Jobs.BeginJob own = job();
    Jobs.BeginJob mounted =
        new Jobs.BeginJob(
            own.who(),
            own.token(),
            own.user(),
            own.group(),
            own.creator(),
            own.createdSeconds(),
            own.uses(),
            own.stages(),
            "/mnt/17",
            own.instance(),
            own.credential());
    assertThat(as(ALICE).call("manager", Lane.CONTROL, mounted)).isInstanceOf(Jobs.JobIs.class);
    Jobs.Mount mount = new Jobs.Mount("/mnt/17/striped", Jobs.Standing.MOUNTED, "");
    agent("n1")
        .call(
            "manager", Lane.CONTROL, new Jobs.ReportNode(Identity.root(), "n1", List.of(mount), 0));
    assertThat(mounts(as(ALICE))).containsExactly(mount);
    assertThat(mounts(root)).containsExactly(mount);
    assertThat(mounts(as(BOB))).isEmpty();
  }

  private static List<Jobs.Mount> mounts(RawClient client) {
    Message answer = client.call("manager", Lane.CONTROL, new Jobs.ListNodes("", "", 10));
    return ((Jobs.NodesAre) answer).nodes().get(0).mounts();
  }

  @Test
  void theInstanceOfAJobIsForTheJobAlone() {
    RawClient alice = as(ALICE);
    assertThat(alice.call("manager", Lane.CONTROL, job())).isInstanceOf(Jobs.JobIs.class);
    assertThat(code(capability(alice, Bytes.EMPTY))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(capability(alice, CREDENTIAL.secret())).isInstanceOf(Access.CapabilityIs.class);
    assertThat(code(capability(as(BOB), CREDENTIAL.secret()))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(capability(root, Bytes.EMPTY)).isInstanceOf(Access.CapabilityIs.class);
    // Agents: those of its nodes.
    assertThat(code(capability(agent("n1"), Bytes.EMPTY))).isEqualTo(ErrorCode.ACCESS_DENIED);
    alice.call("manager", Lane.CONTROL, new Jobs.SetNodes(ALICE, "17", List.of("n1")));
    assertThat(capability(agent("n1"), Bytes.EMPTY)).isInstanceOf(Access.CapabilityIs.class);
    assertThat(code(capability(agent("n2"), Bytes.EMPTY))).isEqualTo(ErrorCode.ACCESS_DENIED);
    // And one that speaks for the batch system.
    Jobs.SetNodes move = new Jobs.SetNodes(Identity.root(), "17", List.of("n1"));
    assertThat(code(agent("n2").call("manager", Lane.CONTROL, move))).isEqualTo(ErrorCode.REFUSED);
    assertThat(code(capability(agent("n2"), Bytes.EMPTY))).isEqualTo(ErrorCode.ACCESS_DENIED);
    batch("n2").call("manager", Lane.CONTROL, move);
    assertThat(capability(batch("n2"), Bytes.EMPTY)).isInstanceOf(Access.CapabilityIs.class);
  }

  @Test
  void aRevocationWithdrawsTheCredentialOfAJob() {
    RawClient alice = as(ALICE);
    alice.call("manager", Lane.CONTROL, job());
    alice.call("manager", Lane.CONTROL, new Jobs.SetNodes(ALICE, "17", List.of("n1")));
    setAccess("job-17", "", "");
    assertThat(code(capability(alice, CREDENTIAL.secret()))).isEqualTo(ErrorCode.ACCESS_DENIED);
    assertThat(capability(agent("n1"), Bytes.EMPTY)).isInstanceOf(Access.CapabilityIs.class);
    // A retry gets the job, and not its credential back.
    Message again = alice.call("manager", Lane.CONTROL, job());
    assertThat(((Jobs.JobIs) again).credential()).isEqualTo(Bytes.EMPTY);
    assertThat(code(capability(alice, CREDENTIAL.secret()))).isEqualTo(ErrorCode.ACCESS_DENIED);
  }
}
