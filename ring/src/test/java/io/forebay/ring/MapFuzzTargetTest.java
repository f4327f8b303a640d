// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any bytes are a map that is written with the same bytes, or malformed. */
class MapFuzzTargetTest {
  private static final int CHANGED = 10_000;
  private static final AllocationBound BOUND = new AllocationBound(256 * 1024, 300);

  @Test
  void anyBytesAreAMapOrMalformed() {
    List<byte[]> valid =
        List.of(
            RingMapCodec.write(RingMapCodecTest.someMap()).toArray(),
            RingMapCodec.write(new RingMap(1, 2, 3, List.of(), List.of(), List.of())).toArray());
    new FuzzRun(MapFuzzTargetTest.class, "maps", valid)
        .play(MapFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    BOUND.check(input.length, () -> read(Bytes.copyOf(input)));
  }

  private static void read(Bytes input) {
    RingMap map;
    try {
      map = RingMapCodec.read(input);
    } catch (MalformedFields refused) {
      return;
    }
    if (!RingMapCodec.write(map).equals(input)) throw new AssertionError("written otherwise");
  }
}
