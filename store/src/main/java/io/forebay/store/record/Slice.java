// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a record that stay in place until the slice is closed: a view of a segment in memory, or
 * of a buffer with bytes from the SSD.
 */
public final class Slice implements AutoCloseable {
  /** No segment. */
  public static final int NONE = -1;

  private final ByteBuffer bytes;
  private final int segment;
  private @Nullable Runnable release;

  public Slice(ByteBuffer bytes, int segment, Runnable release) {
    this.bytes = bytes;
    this.segment = segment;
    this.release = release;
  }

  /** The bytes, read-only, from position to limit. */
  public ByteBuffer bytes() {
    if (release == null) throw new IllegalStateException("slice is closed");
    return bytes;
  }

  /** Which segment it holds in memory, as a number that others have not; or {@link #NONE}. */
  public int segment() {
    return segment;
  }

  @Override
  public void close() {
    Runnable once = release;
    release = null;
    if (once != null) once.run();
  }
}
