// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldWriter;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Cuts a snapshot into chunks between its items. A chunk is a version and then items, each with its
 * kind in front.
 */
public final class Chunks {
  public static final int VERSION = 2;

  private final int bytesMax;
  private final Consumer<Bytes> chunks;
  private final FieldWriter out = new FieldWriter();
  private int itemStart;

  public Chunks(int bytesMax, Consumer<Bytes> chunks) {
    this.bytesMax = bytesMax;
    this.chunks = chunks;
    begin();
  }

  private void begin() {
    out.clear();
    out.putByte(VERSION);
    itemStart = out.length();
  }

  /** Begins an item; its fields follow, and then {@link #end}. */
  public FieldWriter item(ItemKind kind) {
    itemStart = out.length();
    out.putByte(kind.code());
    return out;
  }

  /** The item is complete. */
  public void end() {
    if (out.length() <= bytesMax) return;
    ByteBuffer written = out.written();
    Bytes item = Bytes.copyOf(written.duplicate().position(itemStart));
    Bytes before = Bytes.copyOf(written.limit(itemStart));
    begin();
    if (before.length() == out.length() || item.length() + out.length() > bytesMax) {
      throw new IllegalArgumentException(
          "an item of " + item.length() + " bytes does not fit a chunk of " + bytesMax);
    }
    chunks.accept(before);
    ByteBuffer bytes = item.asBuffer();
    while (bytes.hasRemaining()) out.putByte(bytes.get());
  }

  /** The snapshot is complete. */
  public void finish() {
    chunks.accept(Bytes.copyOf(out.written()));
  }
}
