// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/**
 * What a client says first on a connection. Requests wait until it is said, and if it is a proof,
 * until the other end has taken it. Words for a connection that was lost meanwhile are not said.
 */
final class FirstWords implements Proving.Introduction {
  /** The link of the connection. */
  interface Ground {
    /** Whether the connection waits for its first words. */
    boolean isAwaited();

    void send(@Nullable Message introduction);

    void ask(Message proof, Link.Reply reply);

    /** Requests can be sent. */
    void ready();

    /** Answers the requests that wait. */
    void refuse(Replies.Failed refusal);

    void drop(Link.Loss loss);
  }

  private final Proving proving;
  private final Ground link;

  FirstWords(Proving proving, Ground link) {
    this.proving = proving;
    this.link = link;
  }

  @Override
  public void sends(@Nullable Message introduction) {
    if (!link.isAwaited()) return;
    link.send(introduction);
    link.ready();
  }

  @Override
  public void proves(Message proof) {
    if (link.isAwaited()) link.ask(proof, new Taken());
  }

  @Override
  public void fails(Replies.Failed refusal) {
    if (!link.isAwaited()) return;
    link.refuse(refusal);
    link.drop(new Link.Loss(refusal.detail(), Link.Loss.Kind.BROKEN));
  }

  /** Gets the answer to a proof. */
  private final class Taken implements Link.Reply {
    @Override
    public void answered(Message message) {
      if (message instanceof Replies.Failed failed) {
        proving.refused(failed);
        fails(failed);
      } else if (link.isAwaited()) {
        link.ready();
      }
    }

    @Override
    public void lost(Link.Loss loss) {
      // The next connection begins with another proof.
      if (link.isAwaited()) link.drop(loss);
    }
  }
}
