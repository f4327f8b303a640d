// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.files;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.server.EmbeddedCluster;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a Java program does with files is in the profile that its client leaves. */
class ClientProfileTest {
  @TempDir private Path directory;

  @Test
  void readsAndWritesOfAClientAreCounted() throws Exception {
    ProfileFolder folder = new ProfileFolder(directory);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().segmentBytes(1 << 20).budget(16 << 20, 64 << 20).start()) {
      ForebayOptions options = ForebayOptions.defaults().withProfiles(Optional.of(folder.path()));
      try (Forebay client = Forebay.connect(cluster.uri(), options)) {
        try (ForebayFile file = client.open("/counted", WRITE, CREATE, READ)) {
          for (int i = 0; i < 10; i++) {
            file.write(ByteBuffer.allocate(1000), i * 3000L);
            file.writeAsync(ByteBuffer.allocateDirect(500), i * 3000L + 1000).join();
          }
          file.sync();
          ByteBuffer target = ByteBuffer.allocate(4096);
          assertThat(file.read(target, 0)).isEqualTo(4096);
          target.clear();
          assertThat(file.readAsync(target, 4096).join()).isEqualTo(4096);
        }
      }
      // Without the option nothing is counted.
      try (Forebay client = Forebay.connect(cluster.uri())) {
        client.open("/not", WRITE, CREATE).close();
      }
    }
    List<Profile> all = folder.all();
    assertThat(all).hasSize(1);
    assertThat(all.get(0).over()).isTrue();
    ProgramProfile program = all.get(0).programs().get(0);
    assertThat(program.writes().count()).isEqualTo(20);
    assertThat(program.writes().bytes()).isEqualTo(15_000);
    assertThat(program.writes().of(Order.CONSECUTIVE)).isEqualTo(10);
    assertThat(program.reads().count()).isEqualTo(2);
    assertThat(program.reads().of(Order.CONSECUTIVE)).isEqualTo(1);
    assertThat(program.calls().count(Call.OPEN)).isEqualTo(1);
    assertThat(program.calls().count(Call.SYNC)).isEqualTo(1);
    assertThat(program.calls().count(Call.CLOSE)).isEqualTo(1);
    assertThat(program.files().get(0).path()).isEqualTo("/counted");
  }
}
