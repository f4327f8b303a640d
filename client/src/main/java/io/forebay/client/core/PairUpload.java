// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.ValueContent;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A value that is being written. It is invisible until it is finished. */
public final class PairUpload {
  private final Attachment attachment;
  private final Identity who;
  private final String key;
  private final ValueContent content;

  PairUpload(Attachment attachment, Identity who, String key, long file) {
    this.attachment = attachment;
    this.who = who;
    this.key = key;
    this.content = new ValueContent(attachment.writer(), file);
  }

  /** How the value must be cut; any thread may cut. */
  public PieceLayout layout() {
    return attachment.layout();
  }

  /** Writes the next bytes of the value. */
  public WriteCall write(List<Piece> pieces) {
    return content.write(pieces);
  }

  /** Discards the value; it cannot be finished any more. */
  public void giveUp() {
    content.settle();
  }

  /** Enters the value under its key once all of it is acknowledged. */
  public CompletableFuture<Void> finish() {
    return content
        .whole()
        .thenCompose(
            pieces ->
                attachment
                    .session()
                    .change(
                        who,
                        new Names.PutPair(key, content.number(), content.sizeBytes(), pieces),
                        Names.Published.class))
        .<Void>thenApply(published -> null)
        .whenComplete((done, failure) -> content.settle());
  }
}
