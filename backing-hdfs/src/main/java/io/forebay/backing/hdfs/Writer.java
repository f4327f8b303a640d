// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;

/** Appends to one temporary file. One thread at a time, each holding its lock. */
final class Writer {
  /** Earlier appends may not have arrived. */
  static final class BytesLost extends IOException {
    private static final long serialVersionUID = 1L;

    BytesLost() {
      super("an earlier write of it failed");
    }
  }

  private static final int CHUNK_BYTES = 256 << 10;

  private @Nullable FSDataOutputStream out;
  private boolean failed;

  boolean isOpen() {
    return out != null;
  }

  /** How many bytes the file has with all that was appended. */
  long length() {
    return stream().getPos();
  }

  void open(FSDataOutputStream stream) throws IOException {
    out = stream;
    requireSound();
  }

  /**
   * Appends those bytes that are not there yet. The others are the same: all writers of an attempt
   * write the same file from its beginning.
   */
  void append(long offset, List<ByteBuffer> source) throws IOException {
    requireSound();
    FSDataOutputStream stream = stream();
    long skip = stream.getPos() - offset;
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      for (ByteBuffer buffer : source) {
        ByteBuffer view = buffer.duplicate();
        int skipped = (int) Math.min(skip, view.remaining());
        skip -= skipped;
        view.position(view.position() + skipped);
        while (view.hasRemaining()) {
          int bytes = Math.min(chunk.length, view.remaining());
          view.get(chunk, 0, bytes);
          stream.write(chunk, 0, bytes);
        }
      }
    } catch (IOException failure) {
      failed = true;
      throw failure;
    }
  }

  /** Makes the appended bytes durable, and closes the file. */
  void force() throws IOException {
    requireSound();
    FSDataOutputStream stream = out;
    if (stream == null) return;
    out = null;
    boolean forced = false;
    try {
      stream.hsync();
      stream.close();
      forced = true;
    } finally {
      failed = !forced;
      // Close again to free its resources; a broken stream throws its earlier exception.
      if (!forced) IOUtils.closeStream(stream);
    }
  }

  /** The same for one that may have failed; says whether all that was appended is lasting. */
  boolean release() {
    try {
      force();
      return true;
    } catch (IOException lost) {
      IOUtils.closeStream(out);
      out = null;
      return false;
    }
  }

  private void requireSound() throws IOException {
    if (failed) throw new BytesLost();
  }

  private FSDataOutputStream stream() {
    if (out == null) throw new IllegalStateException("not open");
    return out;
  }
}
