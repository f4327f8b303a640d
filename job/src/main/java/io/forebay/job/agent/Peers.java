// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import io.forebay.job.service.Command.Caller;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * Who is at the other end of a connection. The kernel tells the JDK the peer's user and group, and
 * the JDK does not tell their numbers. So the client sends its numbers, which count only if the JDK
 * finds the same user and group by them.
 */
final class Peers {
  private static final int ROOT = 0;
  private static final String ROOT_NAME = "root";

  private final Set<String> operators;
  private final UserPrincipalLookupService users =
      FileSystems.getDefault().getUserPrincipalLookupService();

  /**
   * Peers of an agent.
   *
   * @param operators names of users that may act for others, besides root and the agent's own user
   */
  Peers(Set<String> operators) {
    this.operators = Set.copyOf(operators);
  }

  /** The name of the user at the other end, or its number if it has none. */
  String userOf(SocketChannel channel) throws IOException {
    return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
  }

  /** Whether a user may act for others. */
  boolean isOperator(String name) {
    return name.equals(ROOT_NAME)
        || name.equals(System.getProperty("user.name"))
        || operators.contains(name);
  }

  /**
   * The caller of a request.
   *
   * @throws AgentFrames.Malformed if the client is not the user that it says
   */
  Caller caller(SocketChannel channel, AgentFrames.Request request) throws IOException {
    UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    UserPrincipal user = users.lookupPrincipalByName(Integer.toString(request.user()));
    GroupPrincipal group = users.lookupPrincipalByGroupName(Integer.toString(request.group()));
    if (!user.equals(peer.user()) || !group.equals(peer.group())) {
      throw new AgentFrames.Malformed(
          "a client that says it is user %s of group %s and is '%s' of '%s'"
              .formatted(
                  Integer.toUnsignedString(request.user()),
                  Integer.toUnsignedString(request.group()),
                  peer.user().getName(),
                  peer.group().getName()));
    }
    String name = peer.user().getName();
    boolean operator = request.user() == ROOT || isOperator(name);
    return new Caller(
        Integer.toUnsignedLong(request.user()), Integer.toUnsignedLong(request.group()), operator);
  }
}
