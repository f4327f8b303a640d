// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.client.failure.Failures;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.NodePath;
import io.forebay.client.loop.ClientLoop;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Puts files whose bytes are all known, each with one change of the tree. Any thread. */
final class WholeFiles {
  private final ClientLoop loop;
  private final ClientCore core;
  private final Identity who;

  /** The last layout of a file. */
  private volatile @Nullable PieceLayout layout;

  WholeFiles(ClientLoop loop, ClientCore core, Identity who) {
    this.loop = loop;
    this.core = core;
    this.who = who;
  }

  CompletableFuture<Void> put(
      NodePath at, ByteBuffer content, int mode, @Nullable Instant modified) {
    ByteBuffer bytes = content.duplicate();
    content.position(content.limit());
    long modifyNanos = modified == null ? Names.NOW : AttributeChange.nanos(modified);
    PieceLayout known = layout;
    // Here and not on the loop: checksums of several files are computed at the same time.
    List<Piece> early = known == null ? List.of() : known.cut(bytes, 0);
    return Failures.translated(
        loop.submit(
            bytes,
            () ->
                core.beginFile(who)
                    .thenCompose(
                        upload -> {
                          layout = upload.layout();
                          boolean stillSo = upload.layout().equals(known);
                          List<Piece> pieces = stillSo ? early : upload.layout().cut(bytes, 0);
                          return upload.put(at.path(), mode, modifyNanos, pieces);
                        })),
        at.shown());
  }
}
