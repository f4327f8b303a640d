package io.forebay.cli.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/** Moves bytes. */
final class Streams {
  private static final int CHUNK_BYTES = 1024 * 1024;

  private Streams() {}

  /** Bytes go there as they are, past the writer that text is printed with. */
  static void toStandardOutput(InputStream from) throws IOException {
    copy(from, System.out, moved -> {});
    System.out.flush();
  }

  /**
   * Moves everything.
   *
   * @param progress told after each step how many bytes it moved
   * @return how many bytes there were
   */
  static long copy(InputStream from, OutputStream to, LongConsumer progress) throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long total = 0;
    while (true) {
      int count = from.readNBytes(chunk, 0, chunk.length);
      if (count == 0) return total;
      to.write(chunk, 0, count);
      total += count;
      progress.accept(count);
    }
  }
}
