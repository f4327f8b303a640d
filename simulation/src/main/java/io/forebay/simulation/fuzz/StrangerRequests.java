// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fuzz;

import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.right.MessageNeeds;
import io.forebay.wire.right.Need;
import java.util.List;

/** What a program that has proved nothing may be answered (P32). Stateless. */
public final class StrangerRequests {
  private StrangerRequests() {}

  /** Requests that need a proof. Operations on names are not among them: a request has them. */
  public static List<Class<? extends Message>> needProof() {
    return MessageTypes.all().stream().filter(StrangerRequests::needsProof).toList();
  }

  /** Whether a message is a request that needs a proof. */
  public static boolean needsProof(Class<? extends Message> type) {
    Need need = MessageNeeds.of(type);
    boolean greets = Handshake.class.equals(type.getEnclosingClass());
    boolean inRequest = Names.Op.class.isAssignableFrom(type);
    return !greets && !inRequest && need != Need.ANSWER && need != Need.NOTHING;
  }

  /** Whether a request was refused for lack of a proof. */
  public static boolean isRefusal(Message answer) {
    return answer instanceof Replies.Failed failed
        && (failed.code() == ErrorCode.REFUSED || failed.code() == ErrorCode.UNPROVED);
  }
}
