// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Instance;
import io.forebay.ring.Tenancy;
import io.forebay.server.EmbeddedCluster;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two users of one machine, over plain loopback connections: the kernel tells them apart (P32). */
@Timeout(300)
class UsersOfOneMachineTest {
  private static final Identity ALICE = new Identity(54321, List.of(54321));
  private static final Identity BOB = new Identity(54322, List.of(54322));

  private static final int PIECE = 100;

  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(OtherUser.isPossible(), "needs root: run the suite as root");
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .segmentBytes(1 << 20)
            .budget(16 << 20, 16 << 20)
            .start();
    OtherUser.call(
        ALICE.user(),
        () -> {
          try (Cluster alice = Cluster.connect(cluster.uri(), options(ALICE))) {
            return alice.createInstance(
                "alices",
                InstanceOptions.defaults().withTenancy(new Tenancy(Tenancy.Permit.OWNER, 0)));
          }
        });
    OtherUser.call(
        ALICE.user(),
        () -> {
          try (Forebay client = connect("alices", ALICE);
              ForebayFile file = client.open("/secret", WRITE, CREATE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
          }
          return null;
        });
  }

  @AfterAll
  static void stop() {
    if (cluster != null) cluster.close();
  }

  /**
   * Seats of the same host would be dialled by their Unix sockets, which other users cannot use.
   */
  private static ForebayOptions options(Identity claimed) {
    return ForebayOptions.defaults().withIdentity(claimed).withNode("elsewhere");
  }

  private static Forebay connect(String instance, Identity claimed) throws IOException {
    return Forebay.connect(cluster.uri(instance), options(claimed));
  }

  private static int size(String instance, Identity claimed) throws IOException {
    try (Forebay client = connect(instance, claimed);
        ForebayFile file = client.open("/secret", READ)) {
      return (int) file.size();
    }
  }

  @Test
  void theOwnerReadsItsInstance() throws Exception {
    assertThat(OtherUser.call(ALICE.user(), () -> size("alices", ALICE))).isEqualTo(3);
  }

  @Test
  void rootOfTheMachineReadsIt() throws Exception {
    assertThat(size("alices", Identity.root())).isEqualTo(3);
  }

  @Test
  void anotherUserDoesNotWhateverItClaims() throws Exception {
    for (Identity claimed : List.of(BOB, ALICE, Identity.root())) {
      assertThatThrownBy(() -> OtherUser.call(BOB.user(), () -> size("alices", claimed)))
          .as("claiming %s", claimed)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherUserDoesNotEvenSeeIt() throws Exception {
    List<String> seen =
        OtherUser.call(
            BOB.user(),
            () -> {
              try (Cluster bob = Cluster.connect(cluster.uri(), options(BOB))) {
                return bob.map().instances().stream().map(Instance::name).toList();
              }
            });
    assertThat(seen).doesNotContain("alices").contains("default");
  }

  @Test
  void anotherUserDestroysNothingAndSendsNoServerAway() throws Exception {
    assertThatThrownBy(
            () ->
                OtherUser.call(
                    BOB.user(),
                    () -> {
                      try (Cluster bob = Cluster.connect(cluster.uri(), options(ALICE))) {
                        bob.destroyInstance("alices");
                      }
                      return null;
                    }))
        .hasMessageContaining("may not act for user 54321");
    assertThatThrownBy(
            () ->
                OtherUser.call(
                    BOB.user(),
                    () -> {
                      try (Cluster bob = Cluster.connect(cluster.uri(), options(BOB))) {
                        bob.leave("server-1");
                      }
                      return null;
                    }))
        .hasMessageContaining("may not send Leave");
    assertThat(size("alices", Identity.root())).isEqualTo(3);
  }

  @Test
  void anInstanceForEveryoneIsUsedByEveryUserAsItself() throws Exception {
    try (Forebay root = connect("default", Identity.root())) {
      root.mkdir("/all", 0777);
    }
    OtherUser.call(
        BOB.user(),
        () -> {
          try (Forebay client = connect("default", BOB);
              ForebayFile file = client.open("/all/of-bob", WRITE, CREATE)) {
            file.write(ByteBuffer.wrap(new byte[1 << 20]), 0);
          }
          return null;
        });
    try (Forebay root = connect("default", Identity.root())) {
      assertThat(root.stat("/all/of-bob").user()).isEqualTo(BOB.user());
      assertThat(root.stat("/all/of-bob").sizeBytes()).isEqualTo(1 << 20);
    }
  }

  /** A user that an instance no longer admits is refused at once, and others notice nothing. */
  @Test
  void accessIsRevokedWhileUsersWrite() throws Exception {
    OtherUser.call(
        ALICE.user(),
        () -> {
          try (Cluster alice = Cluster.connect(cluster.uri(), options(ALICE))) {
            alice.createInstance("lent", InstanceOptions.defaults());
          }
          return null;
        });
    Forebay bob = as(BOB);
    try (Forebay alice = as(ALICE);
        Cluster root = Cluster.connect(cluster.uri())) {
      alice.put("/shared", ByteBuffer.wrap(new byte[1000]), 0666, null);
      ForebayFile theirs = bob.open("/shared", READ, WRITE);
      try (ForebayFile own = alice.open("/own", WRITE, CREATE)) {
        int writes = 0;
        for (int round = 0; round < 5; round++) {
          append(own, writes++);
          root.setAccess("lent", null, null);
          append(theirs, 0);
        }
        root.setAccess("lent", Tenancy.Permit.OWNER, null);
        assertThatThrownBy(
                () -> {
                  while (true) append(theirs, 0);
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining("instance 'lent' does not admit user 54322");
        // Each server refuses from when it has the map with the new access epoch.
        assertThatThrownBy(
                () -> {
                  while (true) bob.stat("/shared");
                })
            .hasMessageContaining("instance 'lent' does not admit user 54322");
        append(own, writes++);
        assertThat(alice.stat("/own").sizeBytes()).isEqualTo((long) PIECE * writes);
      }
      // It cannot publish what it wrote last.
      assertThatThrownBy(bob::close).hasMessageContaining("does not admit user 54322");
    }
  }

  private static void append(ForebayFile file, int position) throws IOException {
    file.write(ByteBuffer.wrap(new byte[PIECE]), (long) PIECE * position);
    file.sync();
  }

  private static Forebay as(Identity user) throws Exception {
    return OtherUser.call(user.user(), () -> connect("lent", user));
  }
}
