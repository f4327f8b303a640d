// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.ring.Tenancy;
import io.forebay.server.EmbeddedCluster;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance for its owner only, in a directory that root has mounted for all users: modes allow
 * everything, and another user gets nothing.
 */
@Timeout(180)
class OtherUsersMountTest {
  private static final int ALICE = 54321;
  private static final int BOB = 54322;
  private static final int MIB = 1 << 20;

  @TempDir private Path directory;

  private record Ended(int code, String said) {}

  /** A shell's command in the mounted directory, by a user. */
  private Ended run(int user, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + user,
                "--regid=" + user,
                "--clear-groups",
                "sh",
                "-c",
                command.replace("@", directory.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  private static void requirePossible() {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    assumeTrue("root".equals(System.getProperty("user.name")), "needs root: run the suite as root");
  }

  @Test
  void aUserWhomTheInstanceDoesNotAdmitReachesNothing() throws Exception {
    requirePossible();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .copies(1)
            .segmentBytes(MIB)
            .budget(16L * MIB, 16L * MIB)
            .start()) {
      Identity alice = new Identity(ALICE, List.of(ALICE));
      try (Cluster owner =
          Cluster.connect(cluster.uri(""), ForebayOptions.defaults().withIdentity(alice))) {
        owner.createInstance(
            "alices",
            InstanceOptions.defaults()
                .withCopies(1)
                .withTenancy(new Tenancy(Tenancy.Permit.OWNER, 0)));
      }
      ForebayMount mount =
          ForebayMount.mount(
              cluster.uri("alices"),
              directory,
              new MountOptions().allowOther().settings(),
              ForebayOptions.defaults());
      try {
        checkUsers();
      } finally {
        mount.close();
      }
    }
  }

  private void checkUsers() throws IOException, InterruptedException {
    Ended written = run(ALICE, "echo secret >@/f && chmod 666 @/f && chmod 777 @ && cat @/f");
    assertThat(written).isEqualTo(new Ended(0, "secret\n"));
    for (String command :
        List.of("cat @/f", "ls @/", "stat @/f", "echo x >>@/f", "echo x >@/g", "rm -f @/f")) {
      assertThat(run(BOB, command))
          .as(command)
          .satisfies(
              ended -> {
                assertThat(ended.code()).isNotZero();
                assertThat(ended.said()).contains("ermission denied").doesNotContain("secret");
              });
    }
    assertThat(run(ALICE, "cat @/f && ls @")).isEqualTo(new Ended(0, "secret\nf\n"));
  }
}
