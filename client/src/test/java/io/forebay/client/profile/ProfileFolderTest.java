// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.profile.count.Profiler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFolderTest {
  @TempDir private Path directory;

  private static Profile profile(long process, boolean over) {
    Profiler profiler = new Profiler(1 << 20, false, file -> "/a", () -> 5);
    int program = profiler.program(new ProgramName(1, "cat"));
    for (int i = 0; i < 10; i++) {
      Profiler.Access access = new Profiler.Access(40, 40, 0);
      profiler.accessed(program, Call.READ, 3, access, i * 10L, 10);
    }
    String instance = "forebay://here/run";
    return new Profile(
        instance, "/m", process, process, 99 + process, over, profiler.counted(instance));
  }

  @Test
  void profilesComeBackAsTheyWere() throws IOException {
    ProfileFolder folder = new ProfileFolder(directory.resolve("new/one"));
    assertThat(folder.all()).isEmpty();
    folder.keep(profile(1, false));
    folder.keep(profile(2, false));
    folder.keep(profile(1, true));
    Files.writeString(folder.path().resolve("none.profile"), "something else");
    assertThat(folder.all()).containsExactly(profile(1, true), profile(2, false));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.file(profile(1, true)))))
        .isEqualTo("rw-------");
    List<ProgramProfile> together = Profile.together(folder.all());
    assertThat(together).hasSize(1);
    assertThat(together.get(0).reads().count()).isEqualTo(20);
    assertThat(together.get(0).files()).hasSize(1);
    assertThat(together.get(0).processes()).containsExactly(40);
  }

  @Test
  void onlyTheNewestAreKept() throws IOException {
    ProfileFolder folder = new ProfileFolder(directory);
    for (int i = 0; i < ProfileFolder.KEPT_MAX + 5; i++) folder.keep(profile(i, true));
    assertThat(folder.all()).hasSize(ProfileFolder.KEPT_MAX);
    assertThat(folder.all().get(ProfileFolder.KEPT_MAX - 1).process()).isEqualTo(68);
  }

  @Test
  void damageIsFound() {
    byte[] bytes = ProfileBytes.write(profile(1, true)).array();
    for (int at = 0; at < bytes.length; at += 7) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x10;
      assertThatThrownBy(() -> ProfileBytes.read(ByteBuffer.wrap(damaged)))
          .isInstanceOf(ProfileBytes.NoProfile.class);
    }
    assertThatThrownBy(() -> ProfileBytes.read(ByteBuffer.wrap(bytes, 0, bytes.length - 1).slice()))
        .hasMessageContaining("cut off");
  }

  @Test
  void theEnvironmentNamesTheFolder() {
    assertThat(ProfileFolder.usual(Map.of(ProfileFolder.VARIABLE, "/there")).path())
        .isEqualTo(Path.of("/there"));
  }
}
