// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.content.ValueContent;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A new file whose bytes are all known: it appears whole, with one change of its tree. */
public final class FileUpload {
  private final Attachment attachment;
  private final Identity who;
  private final ValueContent content;

  FileUpload(Attachment attachment, Identity who, long number) {
    this.attachment = attachment;
    this.who = who;
    this.content = new ValueContent(attachment.writer(), number);
  }

  /** The number that the file has once it is put. */
  public long number() {
    return content.number();
  }

  /** How the bytes must be cut; any thread may cut. */
  public PieceLayout layout() {
    return attachment.layout();
  }

  /**
   * Writes all bytes, and gives the file its name once all of them are acknowledged.
   *
   * @param modifyNanos its time of modification, or {@link Names#NOW}
   */
  public CompletableFuture<Void> put(String path, int mode, long modifyNanos, List<Piece> pieces) {
    content.write(pieces);
    return content
        .whole()
        .thenCompose(
            whole ->
                attachment
                    .puts()
                    .put(
                        who,
                        new Names.PutFile(
                            attachment.session().root(),
                            path,
                            mode,
                            modifyNanos,
                            content.number(),
                            content.sizeBytes(),
                            whole)))
        .whenComplete((done, failure) -> content.settle());
  }
}
