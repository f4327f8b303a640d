// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.namespace.GroupState;
import io.forebay.namespace.GroupState.SessionKey;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Tenancy;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.UserBounds;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UserSharesTest {
  private static final int OWNER = 1000;
  private static final int USER = 1001;
  private static final int MAX = 2;

  private static final SeatId SEAT = new SeatId(1);

  private final LimitCounts counts = new LimitCounts();
  private final UserShares shares = new UserShares(counts, new UserBounds(MAX, MAX, 1));
  private final GroupState state = new GroupState(GroupId.of(SEAT, 1));

  private static Instance instance(int id, Instance.Access access) {
    return new Instance(
        id,
        "scratch" + id,
        OWNER,
        100,
        Instance.Lifetime.PERSISTENT,
        access,
        0,
        1,
        false,
        Instance.WhenDegraded.CONTINUE,
        new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0),
        List.of(SEAT),
        GroupId.of(SEAT, 1),
        DrainSpec.NONE,
        "",
        Tenancy.OPEN,
        Allocation.NONE);
  }

  private static final Instance SHARED = instance(1, Instance.Access.SHARED);
  private static final Instance PRIVATE = instance(2, Instance.Access.PRIVATE);

  private Replies.@Nullable Failed begin(Instance instance, int tree, int user, long session) {
    Names.Request request =
        new Names.Request(
            state.group(),
            1,
            instance.id(),
            tree,
            session,
            1,
            0,
            0,
            true,
            new Identity(user, List.of(user)),
            new Names.BeginSession("node" + session, 1));
    return shares.objection(state, instance, request);
  }

  @Test
  void sessionsOfAUserAreBounded() {
    assertThat(begin(SHARED, 0, USER, 1)).isNull();
    assertThat(begin(SHARED, 0, USER, 2)).isNull();
    assertThat(begin(SHARED, 0, USER, 2)).as("the same again").isNull();
    Replies.Failed refusal = begin(SHARED, 0, USER, 3);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.BUSY);
    assertThat(refusal.detail()).contains("user 1001 has 2 sessions of instance 'scratch1'");
    assertThat(counts.of(Limit.SESSIONS_PER_USER)).isEqualTo(1);
    // Another user, and the same user in another instance.
    assertThat(begin(SHARED, 0, USER + 1, 4)).isNull();
    assertThat(begin(instance(3, Instance.Access.SHARED), 0, USER, 5)).isNull();
    shares.ended(new SessionKey(1, 0, 1));
    assertThat(begin(SHARED, 0, USER, 3)).isNull();
  }

  @Test
  void theOwnerAndRootHaveTheWholeInstance() {
    for (int i = 1; i < 10; i++) {
      assertThat(begin(SHARED, 0, OWNER, i)).isNull();
      assertThat(begin(SHARED, 0, Identity.ROOT, 100 + i)).isNull();
    }
  }

  @Test
  void sessionsThatAnotherHomeBeganCountOnceTheyAreHeard() {
    Identity who = new Identity(USER, List.of(USER));
    for (int i = 0; i < 3; i++) shares.seen(SHARED, new SessionKey(1, 0, 1), who);
    assertThat(begin(SHARED, 0, USER, 2)).isNull();
    assertThat(begin(SHARED, 0, USER, 3)).isNotNull();
    shares.endAllBut(Set.of(new SessionKey(1, 0, 2)));
    assertThat(begin(SHARED, 0, USER, 3)).isNull();
  }

  @Test
  void privateTreesOfAUserAreBounded() {
    // At the list of trees, each names another node.
    assertThat(begin(PRIVATE, 0, USER, 1)).isNull();
    // At the home of a tree, by a number that the client chose.
    assertThat(begin(PRIVATE, 17, USER, 2)).isNull();
    Replies.Failed refusal = begin(PRIVATE, 18, USER, 3);
    assertThat(refusal).isNotNull();
    assertThat(refusal.detail()).contains("2 private trees");
    assertThat(begin(PRIVATE, 0, USER, 4)).isNotNull();
    assertThat(counts.of(Limit.TREES_PER_USER)).isEqualTo(2);
    assertThat(begin(PRIVATE, 0, OWNER, 5)).isNull();
    shares.dropped(EndedInstances.NONE.with(PRIVATE.id()));
    assertThat(begin(PRIVATE, 0, USER, 4)).isNull();
  }
}
