// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.ForebayOptions;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.Profile;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.client.profile.ProgramProfile;
import io.forebay.mount.CacheMode;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.MountOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.EmbeddedCluster;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real programs do on a real mount is found in its profile. */
@Timeout(120)
class MountProfileTest {
  private static final String INSERT =
      "INSERT INTO pts1 (I, DT, F1, F2) VALUES (1, CURRENT_TIMESTAMP, 6758, 9844343722998287);\n";

  @TempDir private Path directory;

  /** Work on a mount. */
  private interface Work {
    void in(Path mount) throws IOException, InterruptedException;
  }

  private List<ProgramProfile> profile(CacheMode cache, Work work) throws Exception {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    Path point = Files.createDirectory(directory.resolve("mount"));
    ProfileFolder folder = new ProfileFolder(directory.resolve("profiles"));
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().servers(2).copies(2).budget(64 << 20, 64 << 20).start()) {
      var settings = new MountOptions().profiles(folder.path()).cache(cache).settings();
      ForebayMount mount =
          ForebayMount.mount(cluster.uri(), point, settings, ForebayOptions.defaults());
      try (mount) {
        work.in(point);
        UserDefinedFileAttributeView view =
            Files.getFileAttributeView(point, UserDefinedFileAttributeView.class);
        ByteBuffer named = ByteBuffer.allocate(4096);
        view.read(MountProfile.ATTRIBUTE.replace("user.", ""), named);
        Profile now = folder.all().get(0);
        assertThat(StandardCharsets.UTF_8.decode(named.flip()).toString())
            .isEqualTo(folder.file(now).toString());
        assertThat(now.over()).isFalse();
        assertThat(now.place()).isEqualTo(point.toString());
      }
    }
    List<Profile> all = folder.all();
    assertThat(all).hasSize(1);
    assertThat(all.get(0).over()).isTrue();
    return all.get(0).programs();
  }

  private static ProgramProfile of(String program, List<ProgramProfile> all) {
    return all.stream()
        .filter(each -> each.program().equals(program))
        .findFirst()
        .orElseThrow(() -> new AssertionError(program + " is not among them"));
  }

  private static void run(Path in, String input, String... words)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(words).directory(in.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void programsAreToldApart() throws Exception {
    List<ProgramProfile> programs =
        profile(
            CacheMode.NONE,
            mount -> {
              Files.createDirectory(mount.resolve("out"));
              String out = "of=out/data";
              run(mount, "", "dd", "if=/dev/zero", out, "bs=47008", "count=20", "conv=fsync");
              run(mount, "", "sh", "-c", "exec cat < out/data > copy");
            });
    ProgramProfile dd = of("dd", programs);
    assertThat(dd.writes().count()).isEqualTo(20);
    assertThat(dd.writes().bytes()).isEqualTo(20 * 47_008);
    assertThat(dd.writes().sizes().get(0).value()).isEqualTo(47_008);
    assertThat(dd.writes().of(Order.CONSECUTIVE)).isEqualTo(19);
    assertThat(dd.calls().count(Call.SYNC)).isEqualTo(1);
    assertThat(dd.calls().nanos(Call.WRITE)).isPositive();
    assertThat(dd.processes()).hasSize(1);
    FileProfile file = dd.files().get(0);
    assertThat(file.path()).isEqualTo("/out/data");
    assertThat(file.isShared()).isFalse();
    // The shell opened the files, and became the program that uses them.
    ProgramProfile cat = of("cat", programs);
    assertThat(cat.reads().bytes()).isEqualTo(20 * 47_008);
    assertThat(cat.writes().bytes()).isEqualTo(20 * 47_008);
    assertThat(cat.stripeBytes()).isEqualTo(8 << 20);
  }

  /** The worked example of docs/profiling.md. */
  @Test
  void sqliteForcesEachInsert() throws Exception {
    boolean installed =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "sqlite3")));
    assumeTrue(installed, "needs sqlite3 (dev/optional-packages)");
    int rows = 20;
    String script = "CREATE TABLE pts1 (I, DT, F1, F2);\n" + INSERT.repeat(rows);
    List<ProgramProfile> programs =
        profile(
            CacheMode.AUTO,
            mount -> run(mount, script, "sqlite3", "-batch", "-init", "/dev/null", "rank0.db"));
    ProgramProfile sqlite = of("sqlite3", programs);
    // A journal per transaction, which is created, forced, and removed.
    assertThat(sqlite.calls().count(Call.UNLINK)).isEqualTo(rows + 1);
    assertThat(sqlite.calls().count(Call.CREATE)).isGreaterThanOrEqualTo(rows + 1);
    assertThat(sqlite.calls().count(Call.SYNC)).isGreaterThanOrEqualTo(3L * rows);
    assertThat(sqlite.calls().count(Call.LOCK)).isGreaterThanOrEqualTo(4L * rows);
    assertThat(sqlite.writes().count()).isGreaterThanOrEqualTo(5L * rows);
    assertThat(sqlite.files())
        .extracting(FileProfile::path)
        .contains("/rank0.db", "/rank0.db-journal");
  }
}
