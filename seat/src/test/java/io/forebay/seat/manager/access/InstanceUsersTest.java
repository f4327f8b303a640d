// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.Instance;
import io.forebay.ring.Tenancy;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Root of a client machine is root only where the instance says so (P32). */
class InstanceUsersTest {
  private static final int ALICE = 1000;
  private static final int GROUP = 100;
  private static final Principal OPERATOR = new Principal.Operator("administrator");
  private static final Principal SERVER = new Principal.Server("s1");
  private static final Principal AGENT = new Principal.Agent("n1", false);
  private static final Principal ROOT = new Principal.User(Identity.root());
  private static final Principal USER = new Principal.User(new Identity(ALICE, List.of(GROUP)));

  private static Instance instance(int owner, Instance.Lifetime lifetime, Tenancy.Root root) {
    Instance any =
        SmallRing.of(1)
            .group(1, 1, SmallRing.current(1))
            .instance(1, false)
            .map()
            .instances()
            .getFirst();
    return new Instance(
        any.id(),
        any.name(),
        owner,
        GROUP,
        lifetime,
        any.access(),
        any.capacityBytes(),
        any.copies(),
        any.forced(),
        any.whenDegraded(),
        any.placement(),
        any.seats(),
        any.rootGroup(),
        any.drain(),
        any.protection(),
        Tenancy.OPEN.withRoot(root),
        any.allocation());
  }

  private static Instance persistent(int owner, Tenancy.Root root) {
    return instance(owner, Instance.Lifetime.PERSISTENT, root);
  }

  @Test
  void operatorsAndServersAreRootEverywhere() {
    Instance alices = persistent(ALICE, Tenancy.Root.SQUASH);
    for (Principal trusted : List.of(OPERATOR, SERVER)) {
      assertThat(InstanceUsers.of(trusted, alices)).isEqualTo(Identity.root());
      assertThat(InstanceUsers.mayBeRoot(trusted, alices)).isTrue();
    }
  }

  @Test
  void rootOfAnotherMachineIsNobody() {
    Instance alices = persistent(ALICE, Tenancy.Root.SQUASH);
    assertThat(InstanceUsers.of(ROOT, alices)).isEqualTo(Identity.nobody());
    assertThat(InstanceUsers.of(ROOT, null)).isEqualTo(Identity.nobody());
    assertThat(InstanceUsers.mayBeRoot(ROOT, alices)).isFalse();
    assertThat(InstanceUsers.mayBeRoot(AGENT, alices)).isFalse();
  }

  @Test
  void exceptWhereTheInstanceSaysSo() {
    Instance trusting = persistent(ALICE, Tenancy.Root.ALLOW);
    assertThat(InstanceUsers.of(ROOT, trusting)).isEqualTo(Identity.root());
    assertThat(InstanceUsers.mayBeRoot(ROOT, trusting)).isTrue();
    assertThat(InstanceUsers.mayBeRoot(AGENT, trusting)).isTrue();
  }

  @Test
  void rootOwnsWhatRootCreatedAndRootOfANodeDoesNot() {
    Instance roots = persistent(Identity.ROOT, Tenancy.Root.SQUASH);
    assertThat(InstanceUsers.of(ROOT, roots)).isEqualTo(Identity.root());
    assertThat(InstanceUsers.mayBeRoot(ROOT, roots)).isTrue();
    assertThat(InstanceUsers.mayBeRoot(AGENT, roots)).isFalse();
    // Users of its group may be admitted: the agent serves them.
    assertThat(InstanceUsers.of(AGENT, roots))
        .isEqualTo(new Identity(Identity.NOBODY, List.of(GROUP)));
  }

  @Test
  void rootOfANodeIsRootInAJobOfRoot() {
    Instance job = instance(Identity.ROOT, Instance.Lifetime.JOB, Tenancy.Root.SQUASH);
    assertThat(InstanceUsers.mayBeRoot(AGENT, job)).isTrue();
    assertThat(InstanceUsers.of(AGENT, job).user()).isEqualTo(Identity.ROOT);
    Instance alices = instance(ALICE, Instance.Lifetime.JOB, Tenancy.Root.SQUASH);
    assertThat(InstanceUsers.mayBeRoot(AGENT, alices)).isFalse();
    assertThat(InstanceUsers.of(AGENT, alices)).isEqualTo(new Identity(ALICE, List.of(GROUP)));
  }

  @Test
  void otherUsersAreThemselves() {
    Instance roots = persistent(Identity.ROOT, Tenancy.Root.SQUASH);
    assertThat(InstanceUsers.of(USER, roots)).isEqualTo(new Identity(ALICE, List.of(GROUP)));
    assertThat(InstanceUsers.mayBeRoot(USER, persistent(ALICE, Tenancy.Root.SQUASH))).isFalse();
    assertThat(InstanceUsers.of(new Principal.Stranger(), roots)).isNull();
  }
}
