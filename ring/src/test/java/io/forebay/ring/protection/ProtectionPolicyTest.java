// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectionPolicyTest {
  private static final long GIB = 1L << 30;

  @Test
  void readsAllWords() {
    ProtectionPolicy policy =
        ProtectionPolicy.parse("window=10x/24h, file-size=1TiB ,files=1000000,log");

    assertEquals(10, policy.window().times());
    assertEquals(TimeUnit.DAYS.toMillis(1), policy.window().millis());
    assertEquals(1L << 40, policy.fileBytesMax());
    assertEquals(1_000_000, policy.filesMax());
    assertTrue(policy.logs());
    assertFalse(policy.refuses());
    assertEquals(20 * GIB, policy.windowBytesMax(2 * GIB));
  }

  @Test
  void aWindowMayBeASize() {
    ProtectionPolicy policy = ProtectionPolicy.parse("window=2GiB/90s,error");

    assertEquals(2 * GIB, policy.windowBytesMax(0));
    assertTrue(policy.suits(0));
    assertFalse(ProtectionPolicy.parse("window=2x/24h").suits(0));
  }

  @ParameterizedTest
  @CsvSource({"window, 10x/1d", "window=3x, 3x/1d", "window=2TiB, 2TiB/1d"})
  void aWindowIsTenTimesTheCapacityWithinADayUnlessItSaysOtherwise(String text, String window) {
    assertEquals("window=" + window + ",log,error", ProtectionPolicy.parse(text).toString());
  }

  @Test
  void withoutAnActionItLogsAndRefuses() {
    ProtectionPolicy policy = ProtectionPolicy.parse("files=10");

    assertTrue(policy.logs());
    assertTrue(policy.refuses());
    assertEquals(10, policy.allowedFiles());
    assertEquals(Long.MAX_VALUE, policy.allowedFileBytes());
  }

  @Test
  void aPolicyThatOnlyLogsRefusesNothing() {
    ProtectionPolicy policy = ProtectionPolicy.parse("files=10,file-size=4KiB,log");

    assertEquals(Long.MAX_VALUE, policy.allowedFiles());
    assertEquals(Long.MAX_VALUE, policy.allowedFileBytes());
  }

  @Test
  void aLargeMultipleDoesNotOverflow() {
    ProtectionPolicy policy = ProtectionPolicy.parse("window=1000000x/24h");

    assertEquals(Long.MAX_VALUE, policy.windowBytesMax(1L << 60));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "none"})
  void nothingLimitsNothing(String text) {
    assertTrue(ProtectionPolicy.parse(text).isNone());
    assertEquals("", ProtectionPolicy.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "window=10x/1d,log,error",
        "window=3MiB/90s,file-size=4097B,files=1,error",
        "file-size=1TiB,log"
      })
  void printsWhatItReads(String text) {
    assertEquals(text, ProtectionPolicy.parse(text).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "window= | '' is not a size",
        "window=/24h | '' is not a size",
        "window=10x/h | 'h' is no time",
        "window=0x/1h | 0x the capacity allows nothing",
        "window=0/1h | a limit of 0 bytes allows nothing",
        "window=2TiB/10ms | a window of 1s to 366d",
        "window=2000000x/1h | 1x to 1000000x the capacity",
        "window=1.5TiB/1h | '1.5TiB' is not a size",
        "file-size=x | 'x' is not a size",
        "files=many | 'many' is no number of files",
        "files=0 | a limit of 0 files allows nothing",
        "log | it limits nothing",
        "files=1,log=yes | 'log=yes' is not known",
        "files=1,files=2 | 'files' stands twice",
        "swap | 'swap' is not known"
      })
  void eachBadWordGetsASentence(String text, String why) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ProtectionPolicy.parse(text));
    String sentence = String.valueOf(refused.getMessage());
    assertTrue(sentence.startsWith("'" + text + "' is not a write protection: " + why), sentence);
    assertEquals(sentence.indexOf("write one or more"), sentence.lastIndexOf("write one or more"));
    assertTrue(ProtectionPolicy.of(text).isNone());
  }
}
