// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.rule.Rule;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** As which user a caller uses an instance. Stateless. */
final class InstanceUsers {
  private InstanceUsers() {}

  /**
   * The user of a caller on an instance; null if it has none.
   *
   * @param instance null for the cluster as a whole
   */
  static @Nullable Identity of(Principal principal, @Nullable Instance instance) {
    return switch (principal) {
      case Principal.User user -> squashed(user.identity(), principal, instance);
      case Principal.Operator operator -> Identity.root();
      case Principal.Server server -> Identity.root();
      case Principal.ManagerNode manager -> Identity.root();
      // It serves the users of its node; its own requests are those of the instance's owner.
      case Principal.Agent agent ->
          instance == null ? Identity.root() : owner(instance, mayBeRoot(agent, instance));
      case Principal.Stranger stranger -> null;
    };
  }

  private static Identity squashed(
      Identity user, Principal principal, @Nullable Instance instance) {
    boolean keeps = !user.isRoot() || (instance != null && mayBeRoot(principal, instance));
    return keeps ? user : Identity.nobody();
  }

  /** Root of a client machine does not own what root owns, but belongs to its group. */
  private static Identity owner(Instance instance, boolean asRoot) {
    boolean squashed = instance.owner() == Identity.ROOT && !asRoot;
    int user = squashed ? Identity.NOBODY : instance.owner();
    return new Identity(user, List.of(instance.group()));
  }

  /**
   * A caller is root on an instance if it is a part of the cluster or an operator, if the instance
   * allows it, if it has proved to be root and root owns the instance, or if it serves a node of a
   * job of root (P32).
   */
  @Rule("P32")
  static boolean mayBeRoot(Principal principal, Instance instance) {
    if (principal.isTrusted()) return true;
    boolean root = principal instanceof Principal.User user && user.identity().isRoot();
    boolean owner = root && instance.owner() == Identity.ROOT;
    return owner || instance.takesRootOfNodes();
  }
}
