// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.proof;

import io.forebay.wire.message.Identity;

/** The other end of a connection, as far as it has proved what it is. */
public sealed interface Principal {
  /**
   * An operator: root or the process's own user, on the same machine, or the holder of an
   * administrator's certificate. On an open network, everyone.
   */
  record Operator(String name) implements Principal {}

  /** A server of the cluster, by its certificate. */
  record Server(String name) implements Principal {}

  /** A manager of the cluster, by its certificate. */
  record ManagerNode(String name) implements Principal {}

  /**
   * The agent of a node, by its certificate: it proves the users of its node.
   *
   * @param batch whether it speaks for the batch system, too
   */
  record Agent(String node, boolean batch) implements Principal {}

  /** A user. */
  record User(Identity identity) implements Principal {}

  /** It has proved nothing. */
  record Stranger() implements Principal {}

  /** Whether it is a part of the cluster or its operator: it is believed about users. */
  default boolean isTrusted() {
    return this instanceof Operator || this instanceof Server || this instanceof ManagerNode;
  }

  /** Whether it may act for that user, with these groups. */
  default boolean mayActFor(Identity who) {
    if (isTrusted()) return true;
    return this instanceof User user
        && user.identity.user() == who.user()
        && user.identity.groups().containsAll(who.groups());
  }

  /** For messages to people. */
  default String describe() {
    if (this instanceof Operator operator) return operator.name;
    if (this instanceof Server server) return "server '" + server.name + "'";
    if (this instanceof ManagerNode manager) return "manager '" + manager.name + "'";
    if (this instanceof Agent agent) return "the agent of node '" + agent.node + "'";
    if (this instanceof User user) return "user " + Integer.toUnsignedString(user.identity.user());
    return "a program that has proved nothing";
  }
}
