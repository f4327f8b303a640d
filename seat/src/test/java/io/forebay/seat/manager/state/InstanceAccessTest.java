// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.proof.JobCredential;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which users and agents reach an instance, and how that is withdrawn. */
class InstanceAccessTest {
  private static final int USER = 1000;
  private static final int GROUP = 100;
  private static final JobCredential CREDENTIAL = JobCredential.draw("17", new SplittableRandom(1));

  private ManagerState state = new ManagerState();

  @BeforeEach
  void form() {
    state.apply(new Command.BeginTerm(1, 7));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
    state.apply(create("a", Instance.Lifetime.PERSISTENT, Tenancy.OPEN));
  }

  private static Command.CreateInstance create(
      String name, Instance.Lifetime lifetime, Tenancy tenancy) {
    return new Command.CreateInstance(
        Offers.op(),
        name,
        USER,
        GROUP,
        lifetime,
        Instance.Access.SHARED,
        0,
        2,
        false,
        Instance.WhenDegraded.CONTINUE,
        new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
        DrainSpec.NONE,
        "",
        tenancy,
        "");
  }

  private Instance instance(String name) {
    return state.map().instance(name);
  }

  private Result set(long op, int user, String permit, String root) {
    return state.apply(new Command.SetAccess(op, instance("a").id(), user, permit, root));
  }

  private void beginJob(String agent) {
    Jobs.Job job =
        new Jobs.Job(
            "17",
            USER,
            GROUP,
            "test",
            5,
            0,
            List.of(),
            List.of(),
            List.of(),
            "",
            Jobs.Phase.BEGUN,
            1);
    Command.CreateInstance own = create("job-17", Instance.Lifetime.JOB, Tenancy.OWN);
    Result begun =
        state.apply(
            new Command.BeginJob(Identity.ROOT, job, List.of(own), agent, CREDENTIAL.hash()));
    assertThat(begun).isInstanceOf(Result.Done.class);
  }

  private void setNodes(String agent, String... nodes) {
    Result set = state.apply(new Command.SetNodes(Identity.ROOT, "17", List.of(nodes), agent));
    assertThat(set).isEqualTo(Result.Done.QUIETLY);
  }

  private boolean isReachedFrom(String agent) {
    return state.jobs().isReachedFrom(instance("job-17"), agent);
  }

  private boolean isReachedBy(Bytes secret) {
    return state.jobs().isReachedBy(instance("job-17"), secret);
  }

  @Test
  void everyChangeRaisesTheAccessEpochOnce() {
    assertThat(instance("a").tenancy()).isEqualTo(Tenancy.OPEN);
    long op = Offers.op();
    long epoch = state.epoch();
    assertThat(set(op, USER, "", "")).isEqualTo(Result.Done.QUIETLY);
    assertThat(set(op, USER, "", "")).isEqualTo(Result.Done.QUIETLY);
    assertThat(instance("a").tenancy()).isEqualTo(Tenancy.OPEN.revoked());
    assertThat(state.epoch()).isGreaterThan(epoch);
    set(Offers.op(), Identity.ROOT, "owner", "");
    set(Offers.op(), USER, "", "allow");
    Tenancy now = instance("a").tenancy();
    assertThat(now.permit()).isEqualTo(Tenancy.Permit.OWNER);
    assertThat(now.root()).isEqualTo(Tenancy.Root.ALLOW);
    assertThat(now.accessEpoch()).isEqualTo(3);
  }

  @Test
  void onlyTheOwnerAndRootChangeItAndOnlyToWhatThereIs() {
    for (Result.Refused refused :
        List.of(
            (Result.Refused) set(Offers.op(), 2000, "owner", ""),
            (Result.Refused) set(Offers.op(), USER, "friends", ""),
            (Result.Refused) set(Offers.op(), USER, "", "maybe"))) {
      assertThat(refused.code()).isIn(ErrorCode.NOT_PERMITTED, ErrorCode.INVALID);
    }
    assertThat(instance("a").tenancy()).isEqualTo(Tenancy.OPEN);
  }

  @Test
  void theUsersOfAJobsInstanceCannotBeChanged() {
    beginJob("");
    int own = instance("job-17").id();
    assertThat(state.apply(new Command.SetAccess(Offers.op(), own, USER, "everyone", "")))
        .isInstanceOf(Result.Refused.class);
    assertThat(state.apply(new Command.SetAccess(Offers.op(), own, USER, "", "allow")))
        .isInstanceOf(Result.Refused.class);
  }

  @Test
  void theAgentsOfAJobsNodesReachItsInstance() {
    beginJob("");
    assertThat(isReachedFrom("n1")).isFalse();
    setNodes("", "n1", "n2");
    assertThat(isReachedFrom("n1")).isTrue();
    assertThat(isReachedFrom("n3")).isFalse();
    // Mounts on nodes that it has left may have writes left.
    setNodes("", "n2");
    assertThat(isReachedFrom("n1")).isTrue();
    setNodes("");
    assertThat(isReachedFrom("n1")).isFalse();
    assertThat(isReachedFrom("n2")).isTrue();
    setNodes("");
    assertThat(isReachedFrom("n2")).isTrue();
  }

  @Test
  void soDoesTheAgentThatSpokeLastForTheBatchSystem() {
    beginJob("n1");
    assertThat(isReachedFrom("n1")).isTrue();
    assertThat(isReachedFrom("")).isFalse();
    setNodes("n2");
    assertThat(isReachedFrom("n2")).isTrue();
    assertThat(isReachedFrom("n1")).isFalse();
    beginJob("n3");
    assertThat(isReachedFrom("n3")).isTrue();
  }

  @Test
  void aRevocationWithdrawsTheCredentialAndNotTheNodes() throws Exception {
    beginJob("");
    setNodes("", "n1", "n2");
    setNodes("", "n2");
    assertThat(isReachedBy(CREDENTIAL.secret())).isTrue();
    assertThat(isReachedBy(Bytes.EMPTY)).isFalse();
    ManagerState restored = new ManagerState();
    restored.restore(state.snapshot());
    state = restored;
    assertThat(isReachedBy(CREDENTIAL.secret())).isTrue();
    assertThat(isReachedFrom("n1")).isTrue();
    state.apply(new Command.SetAccess(Offers.op(), instance("job-17").id(), USER, "", ""));
    assertThat(instance("job-17").tenancy().accessEpoch()).isEqualTo(1);
    assertThat(isReachedBy(CREDENTIAL.secret())).isFalse();
    assertThat(isReachedBy(Bytes.EMPTY)).isFalse();
    assertThat(isReachedFrom("n1")).isFalse();
    assertThat(isReachedFrom("n2")).isTrue();
  }

  @Test
  void aRetryKeepsTheCredentialOfTheFirst() {
    beginJob("");
    Jobs.Job same = state.jobs().job("17").inPhase(Jobs.Phase.BEGUN, List.of());
    JobCredential other = JobCredential.draw("17", new SplittableRandom(2));
    state.apply(new Command.BeginJob(USER, same, List.of(), "", other.hash()));
    assertThat(isReachedBy(CREDENTIAL.secret())).isTrue();
    assertThat(isReachedBy(other.secret())).isFalse();
    assertThat(state.jobs().credential("17")).isEqualTo(CREDENTIAL.hash());
  }

  @Test
  void aJobThatIsGoneIsReachedByNobody() {
    beginJob("n1");
    Instance own = instance("job-17");
    state.apply(new Command.EndJob(USER, "17", true));
    assertThat(state.jobs().isReachedFrom(own, "n1")).isFalse();
    assertThat(state.jobs().isReachedBy(own, CREDENTIAL.secret())).isFalse();
    assertThat(state.jobs().credential("17")).isEqualTo(Bytes.EMPTY);
  }
}
