// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "4096B, 4096",
    "1k, 1024",
    "1K, 1024",
    "1Ki, 1024",
    "1KiB, 1024",
    "1kib, 1024",
    "1KB, 1000",
    "1kb, 1000",
    "64MiB, 67108864",
    "64 MiB, 67108864",
    "' 64  mib ', 67108864",
    "3MB, 3000000",
    "1g, 1073741824",
    "1GB, 1000000000",
    "2T, 2199023255552",
    "1P, 1125899906842624",
    "7EiB, 8070450532247928832",
    "9EB, 9000000000000000000",
    "9223372036854775807, 9223372036854775807",
  })
  void readsWhatPeopleWrite(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "MiB", "1.5GiB", "-1", "-1K", "1 Z", "64 MiBs", "1iB", "1 000", "0x10", "1e3", "٣"
      })
  void namesTextThatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' is not a size");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8EiB",
        "10EB",
        "9223372036854775808",
        "99999999999999999999",
        "9007199254740992K"
      })
  void namesTextThatOverflows(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' is too large");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "67108864, 64 MiB",
    "1048575, 1023.9 KiB",
    "1610612736, 1.5 GiB",
    "9223372036854775807, 7.9 EiB",
  })
  void writesWhatPeopleRead(long bytes, String text) {
    assertThat(ByteSize.format(bytes)).isEqualTo(text);
    assertThat(new ByteSize(bytes)).hasToString(text);
  }

  @Test
  void refusesNegativeSizes() {
    assertThatThrownBy(() -> new ByteSize(-1)).hasMessage("negative size: -1 bytes");
    assertThatThrownBy(() -> ByteSize.format(-1)).hasMessage("negative size: -1 bytes");
  }

  @Test
  void ordersByBytes() {
    assertThat(ByteSize.parse("1MB")).isLessThan(ByteSize.parse("1MiB"));
  }
}
