// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackingStoresTest {
  private final BackingStores stores = new BackingStores(null);

  @ParameterizedTest
  @CsvSource({
    "/scratch/out, directory /scratch/out",
    "/scratch/what?, directory /scratch/what?",
    "posix:/scratch/out, directory /scratch/out",
    "posix:/scratch/out/?stripe=4MiB, directory /scratch/out",
    "file:///scratch/out, directory /scratch/out",
    "null:, null store (keeps nothing)",
  })
  void addressesNameStores(String address, String description) {
    assertThat(stores.open(address).description()).isEqualTo(description);
    assertThat(stores.open("slow+" + address).description())
        .isEqualTo(description + " (slow profile: 0.5 ms per call + 200 MB/s for the whole store)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "out | give its path from the root on",
        "file://host/dir | give its path from the root on",
        "posix:/out?stride=1 | 'stride' is not a setting",
        "posix:/out?stripe=much | 'much' is not a size",
        "posix:/out?stripe | write key=value",
        "posix:/out?stripe=1&stripe=2 | given twice",
        "gs://bucket | there is no kind of backing store 'gs:'",
        "s3://bucket | not part of this installation",
        "null:x | write 'null:'",
        "slow=64MB+/out | '64MB' is not a rate: write slow=64MB/s+ADDRESS",
        "slow=much/s+/out | 'much/s' is not a rate",
        "slow=0/s+/out | '0/s' is not a rate",
      })
  void wrongAddressesAreExplained(String address, String words) {
    assertThatThrownBy(() -> stores.open(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aSlowStoreMayHaveAnotherRate() {
    assertThat(stores.open("slow=64MB/s+/scratch/out").description())
        .isEqualTo(
            "directory /scratch/out (slow profile: 0.5 ms per call + 64MB/s for the whole store)");
  }

  @Test
  void stripesAreSet() {
    assertThat(stores.open("posix:/x?stripe=4MiB").capabilities().stripeBytes()).isEqualTo(4 << 20);
  }

  @Test
  void openingTouchesNothing(@TempDir Path directory) throws BackingException {
    Path missing = directory.resolve("later");
    BackingStore store = stores.open(missing.toString());
    assertThatThrownBy(store::check).isInstanceOf(BackingException.class);
    assertThat(missing.toFile().mkdir()).isTrue();
    store.check();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "ü/€ x"})
  void pathsStayBelowTheRoot(String text) {
    BackingPath path = BackingPath.of("/" + text + "/");
    assertThat(path.text()).isEqualTo(text);
    assertThat(path.resolve("c").parent()).isEqualTo(path);
    assertThat(path.resolve("c").name()).isEqualTo("c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "a/../b", "./a", "a//b", "a\0b", ".forebay-1.2.3", "a/.forebay-x"})
  void otherPathsAreRefused(String text) {
    assertThat(BackingPath.problemWith(text)).isNotNull();
    assertThatThrownBy(() -> BackingPath.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void partsGrowWithTheFile() {
    Capabilities parts =
        new Capabilities(
            true,
            false,
            5 << 20,
            5L << 30,
            10_000,
            false,
            false,
            false,
            false,
            false,
            1 << 20,
            Capabilities.Verification.ON_WRITE);
    assertThat(parts.partBytes(0)).isEqualTo(5 << 20);
    assertThat(parts.partBytes(10_000L * (5 << 20))).isEqualTo(5 << 20);
    assertThat(parts.partBytes((10_000L * (5 << 20)) + 1)).isEqualTo(6 << 20);
    assertThat(parts.partBytes(parts.fileBytesMax())).isEqualTo(5L << 30);
    assertThatThrownBy(() -> parts.partBytes(parts.fileBytesMax() + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
