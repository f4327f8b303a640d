// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any file has a header that is written and read alike, or an error that names what is wrong. */
class HeaderFuzzTargetTest {
  private static final int CHANGED = 10_000;
  private static final AllocationBound BOUND = new AllocationBound(512 * 1024, 500);

  @Test
  void anyFileIsReadOrRefused() throws IOException {
    List<byte[]> valid = new ArrayList<>();
    for (Format format : Format.values()) {
      valid.add(HeaderWriter.write(HeaderTest.example(format)));
    }
    new FuzzRun(HeaderFuzzTargetTest.class, "headers", valid)
        .play(HeaderFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    BOUND.check(
        input.length,
        () -> {
          try {
            read(input);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void read(byte[] input) throws IOException {
    Header header;
    try {
      header = HeaderReader.read(ByteSource.of(input));
    } catch (NetcdfException refused) {
      if (refused.getMessage() == null) throw new AssertionError("no reason", refused);
      return;
    }
    Layout layout = Layout.of(header);
    for (Variable variable : header.variables()) {
      if (layout.offset(variable, 0) < 0) throw new AssertionError("before the file: " + variable);
    }
    byte[] written = HeaderWriter.write(header);
    // Names that others write with zeros at their end are shorter here, so places may differ.
    if (written.length > input.length) throw new AssertionError("longer than it was read");
    byte[] file = Arrays.copyOf(written, input.length);
    if (!HeaderReader.read(ByteSource.of(file)).equals(header)) {
      throw new AssertionError("read otherwise than it was written: " + header);
    }
  }
}
