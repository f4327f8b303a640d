// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages over one connection, and looks at the answer to the last one: if it claims more
 * than was proved, it must be refused for lack of proof.
 */
class Claim implements Handler {
  private final Consumer<String> believed;
  private final @Nullable String claim;
  private final List<Message> messages;

  /**
   * Messages that are not sent yet.
   *
   * @param believed gets a sentence if the claim is believed
   * @param claim what is claimed without a proof; null for nothing
   */
  Claim(Consumer<String> believed, @Nullable String claim, Message... messages) {
    this.believed = believed;
    this.claim = claim;
    this.messages = List.of(messages);
  }

  /** Gets the answer to the last one. */
  void answered(Message message) {}

  @Override
  public void opened(Connection connection) {
    for (int i = 0; i < messages.size(); i++) connection.send(i + 1, messages.get(i));
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (request != messages.size()) return;
    answered(message);
    if (claim != null && !isRefusal(message)) {
      believed.accept("an outsider was believed to be " + claim + " and got " + message);
    }
    connection.close("answered");
  }

  /** Whether it was refused for lack of proof; other failures would mean that it was believed. */
  private static boolean isRefusal(Message message) {
    return message instanceof Replies.Failed failed
        && switch (failed.code()) {
          case REFUSED, UNPROVED, UNAVAILABLE, ACCESS_DENIED -> true;
          default -> false;
        };
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    return Landing.DISCARD;
  }

  @Override
  public void closed(Connection connection, String reason) {}
}
