// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content;

import io.forebay.client.core.content.write.PieceLayout;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Makes a hole in a file. Publishes all writes first, so that the hole covers them. Where only the
 * backing store has the bytes, writes zeros over them: only data in the buffer tells readers and
 * the next drain that the stored bytes are obsolete.
 */
public final class HolePunch {
  /** The maximum of zeros that are written before waiting for them. */
  private static final int ZEROS_BYTES_MAX = 4 * 1024 * 1024;

  private final FileContent content;
  private final PieceLayout layout;
  private final Identity who;

  public HolePunch(FileContent content, PieceLayout layout, Identity who) {
    this.content = content;
    this.layout = layout;
    this.who = who;
  }

  public CompletableFuture<Void> punch(long offset, long lengthBytes) {
    return content
        .sync(who)
        .thenCompose(
            done ->
                content
                    .session()
                    .change(
                        who,
                        new Names.Punch(content.number(), offset, lengthBytes),
                        Names.Punched.class))
        .thenCompose(
            punched -> {
              long end = Math.min(punched.backedBytes(), punched.sizeBytes());
              return end - offset > 0 ? zero(offset, Math.min(end - offset, lengthBytes)) : done();
            });
  }

  private CompletableFuture<Void> zero(long offset, long lengthBytes) {
    if (lengthBytes == 0) return content.sync(who);
    int bytes = (int) Math.min(lengthBytes, ZEROS_BYTES_MAX);
    ByteBuffer zeros = ByteBuffer.allocate(bytes);
    return content
        .write(layout.cut(zeros, offset), offset, false)
        .acknowledged()
        .thenCompose(written -> zero(offset + bytes, lengthBytes - bytes));
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
