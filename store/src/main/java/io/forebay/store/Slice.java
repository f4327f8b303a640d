package io.forebay.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a record that stay in place until they are closed: a view of a segment in memory, or of
 * a buffer into which the SSD was read.
 */
public final class Slice implements AutoCloseable {
  private final ByteBuffer bytes;
  private @Nullable Runnable release;

  Slice(ByteBuffer bytes, Runnable release) {
    this.bytes = bytes;
    this.release = release;
  }

  /** The bytes, read-only, from position to limit. */
  public ByteBuffer bytes() {
    if (release == null) throw new IllegalStateException("slice is closed");
    return bytes;
  }

  @Override
  public void close() {
    Runnable once = release;
    release = null;
    if (once != null) once.run();
  }
}
