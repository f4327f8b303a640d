// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files.copy;

import io.forebay.base.ByteSize;
import io.forebay.cli.terminal.Progress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/** Moves bytes. */
public final class Streams {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private Streams() {}

  /** Copies bytes to standard output, bypassing the writer for text. */
  public static void toStandardOutput(InputStream from) throws IOException {
    copy(from, System.out, moved -> {});
    System.out.flush();
  }

  /** Shows how many of a total number of bytes have been moved. */
  public static LongConsumer shownBy(Progress progress, long totalBytes) {
    return new LongConsumer() {
      private long done;

      @Override
      public void accept(long moved) {
        done += moved;
        long total = Math.max(totalBytes, done);
        progress.update(done, total, ByteSize.format(done) + " of " + ByteSize.format(total));
      }
    };
  }

  /** A stream that tells after each step how many bytes were read. */
  public static InputStream watched(InputStream from, LongConsumer progress) {
    return new FilterInputStream(from) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        if (read >= 0) progress.accept(1);
        return read;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        if (count > 0) progress.accept(count);
        return count;
      }
    };
  }

  /**
   * Moves everything.
   *
   * @param progress gets the number of bytes moved after each step
   * @return how many bytes there were
   */
  static long copy(InputStream from, OutputStream to, LongConsumer progress) throws IOException {
    return copy(from, to, progress, () -> {});
  }

  /** Asked before each step of a copy. */
  public interface Check {
    /** Throws if the copy must stop. */
    void mayGoOn() throws IOException;
  }

  /** The same, until {@code check} throws. */
  public static long copy(InputStream from, OutputStream to, LongConsumer progress, Check check)
      throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long total = 0;
    while (true) {
      check.mayGoOn();
      int count = from.readNBytes(chunk, 0, chunk.length);
      if (count == 0) return total;
      to.write(chunk, 0, count);
      total += count;
      progress.accept(count);
    }
  }
}
