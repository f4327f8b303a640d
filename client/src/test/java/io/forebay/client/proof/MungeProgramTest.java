// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program that makes credentials, and what is said when it makes none. */
@Timeout(60)
class MungeProgramTest {
  @TempDir private Path folder;

  private static MungeProgram shell(String script) {
    return new MungeProgram(List.of("sh", "-c", script));
  }

  @Test
  void theContentGoesInAndTheCredentialComesOut() throws IOException {
    assertThat(shell("printf 'MUNGE:%s:\n' \"$(cat)\"").make("some content"))
        .isEqualTo("MUNGE:some content:");
  }

  @Test
  void withoutTheProgramTheRemedyIsTold() {
    MungeProgram none = new MungeProgram(List.of(folder.resolve("munge").toString()));
    assertThatThrownBy(() -> none.make("content"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("install MUNGE on this machine, or use a token");
  }

  @Test
  void itsErrorIsTold() {
    assertThatThrownBy(() -> shell("echo 'munge: Error: no socket' >&2; exit 1").make("content"))
        .hasMessageContaining("munged on this machine makes no credential (no socket); start it");
    assertThatThrownBy(() -> shell("exec 0<&-; exit 3").make("content"))
        .hasMessageContaining("makes no credential");
    assertThatThrownBy(() -> shell("cat >/dev/null").make("content"))
        .hasMessageContaining("makes no credential");
  }
}
