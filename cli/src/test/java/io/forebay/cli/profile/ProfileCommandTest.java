// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.cli.mount.MountCommand;
import io.forebay.client.ForebayOptions;
import io.forebay.mount.CacheMode;
import io.forebay.mount.ForebayMount;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code forebay profile} while a mount is there, and when it has ended. */
@Timeout(120)
class ProfileCommandTest {
  @TempDir private Path directory;

  private static String out(String... arguments) {
    CommandOutcome outcome = CommandOutcome.run(arguments);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out();
  }

  private static void dd(Path directory, String file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("dd", "if=/dev/zero", "of=" + file, "bs=1000", "count=30", "status=none")
            .directory(directory.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void aMountIsShownWhileItIsThereAndAfterwards() throws Exception {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    Path point = Files.createDirectory(directory.resolve("mount"));
    String mount = point.toString();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().segmentBytes(1 << 20).budget(16 << 20, 64 << 20).start()) {
      // With its cache the kernel cuts writes at the ends of pages.
      var settings = MountCommand.usual().cache(CacheMode.NONE).settings();
      try (ForebayMount mounted =
          ForebayMount.mount(cluster.uri(), point, settings, ForebayOptions.defaults())) {
        assertThat(mounted.isOver()).isFalse();
        dd(point, "one");
        dd(point, "two");
        assertThat(out("profile", mount, "--program", "dd"))
            .startsWith("dd of user ")
            .contains(": 2 processes, ", "100 % of the 60 writes are 1,000 bytes, unaligned, ");
      }
    }
    // It has ended, and all of its programs are known.
    assertThat(out("profile", mount)).contains("program  ", "dd  ", "--program NAME");
    assertThat(out("profile", mount + "/one"))
        .contains("dd of user ", ": 1 process, 1 file;", "30 writes", "/one")
        .doesNotContain("/two");
    assertThat(out("profile", cluster(mount))).contains("of the 60 writes");
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(out("profile", mount, "--json"));
    assertThat(json.get("programs").toString()).contains("dd", "pageUnaligned");
    assertThat(json.get("sources").toString()).contains(mount);
    String process = Long.toString(ProcessHandle.current().pid());
    assertThat(out("profile", process)).contains("dd");
    CommandOutcome none = CommandOutcome.run("profile", "nothing-of-that-name");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err())
        .contains("nothing is known of 'nothing-of-that-name'; 'forebay profile' shows");
  }

  /** The address of the instance of a mount that has ended. */
  private static String cluster(String mount) {
    Map<?, ?> json = (Map<?, ?>) JsonReader.read(out("profile", mount, "--json"));
    Map<?, ?> program = (Map<?, ?>) ((Iterable<?>) json.get("programs")).iterator().next();
    return program.get("instance").toString();
  }
}
