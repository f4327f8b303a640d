// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The output of CDL: bytes, in lines that are broken between values. */
final class CdlOut {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final String CONTINUED = "    ";

  /** Shorter values stay on a full line. */
  private static final int BREAKING_CHARS_MIN = 3;

  private final OutputStream out;
  private final int lineChars;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private int column;

  CdlOut(OutputStream out, int lineChars) {
    this.out = out;
    // What ends a row, a comma or a space and a semicolon, is not counted and always has room.
    this.lineChars = lineChars - 2;
  }

  void print(String text) throws IOException {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) write(b);
  }

  void write(byte b) throws IOException {
    if (filled == BUFFER_BYTES) drain();
    buffer[filled++] = b;
  }

  /** Says where on its line the next value begins. */
  void column(int newColumn) {
    column = newColumn;
  }

  /** A value, perhaps with what separates it from the next; on a new line if there is no room. */
  void value(String text) throws IOException {
    if (column + text.length() > lineChars && text.length() >= BREAKING_CHARS_MIN) {
      print("\n" + CONTINUED);
      column = CONTINUED.length();
    }
    print(text);
    column += text.length();
  }

  void flush() throws IOException {
    drain();
    out.flush();
  }

  private void drain() throws IOException {
    out.write(buffer, 0, filled);
    filled = 0;
  }
}
