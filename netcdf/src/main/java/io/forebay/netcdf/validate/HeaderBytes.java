// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.HeaderReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a header from its start to its end and tracks the offset. */
final class HeaderBytes {
  /** Thrown if nothing after this offset can be parsed. */
  static final class Unreadable extends IOException {
    private static final long serialVersionUID = 1L;
    private final long offset;
    private final String sentence;

    Unreadable(long offset, String sentence) {
      super(sentence);
      this.offset = offset;
      this.sentence = sentence;
    }

    long offset() {
      return offset;
    }

    String sentence() {
      return sentence;
    }
  }

  private static final int WINDOW_BYTES = 64 << 10;
  private static final int ALIGNMENT_BYTES = 4;

  private final ByteSource source;
  private final Findings findings;
  private final long end;
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowEnd;

  HeaderBytes(ByteSource source, Findings findings) throws IOException {
    this.source = source;
    this.findings = findings;
    end = Math.min(source.size(), HeaderReader.HEADER_BYTES_MAX);
  }

  long position() {
    return windowEnd - window.remaining();
  }

  /** How much the file has behind this place that can belong to a header. */
  long remaining() {
    return end - position();
  }

  int integer(String what) throws IOException {
    require(Integer.BYTES, what);
    return window.getInt();
  }

  long wide(String what) throws IOException {
    require(Long.BYTES, what);
    return window.getLong();
  }

  /** Bytes, and the zeros behind them that make them a multiple of four. */
  byte[] padded(long length, String what) throws IOException {
    long start = position();
    if (length > remaining()) {
      throw new Unreadable(
          start, "%s has %d bytes, but the file ends at byte %d".formatted(what, length, end));
    }
    byte[] bytes = new byte[(int) length];
    int done = 0;
    while (done < bytes.length) {
      require(1, what);
      int step = Math.min(window.remaining(), bytes.length - done);
      window.get(bytes, done, step);
      done += step;
    }
    int padding = (int) ((ALIGNMENT_BYTES - length % ALIGNMENT_BYTES) % ALIGNMENT_BYTES);
    if (padding > 0) {
      require(padding, "the padding of " + what);
      boolean zero = true;
      for (int i = 0; i < padding; i++) zero &= window.get() == 0;
      if (!zero) findings.error(start + length, "the padding of " + what + " is not zero");
    }
    return bytes;
  }

  private void require(int bytes, String what) throws IOException {
    if (window.remaining() >= bytes) return;
    if (remaining() < bytes) {
      throw new Unreadable(
          position(),
          end == HeaderReader.HEADER_BYTES_MAX
              ? "the header is longer than " + end + " bytes"
              : "the file ends at byte " + end + ", within " + what);
    }
    int more = (int) Math.min(WINDOW_BYTES, end - windowEnd);
    ByteBuffer next = ByteBuffer.allocate(window.remaining() + more);
    next.put(window);
    source.read(next, windowEnd);
    windowEnd += more;
    window = next.flip();
  }
}
