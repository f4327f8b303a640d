// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.Bytes;
import io.forebay.client.host.LocalIdentity;
import io.forebay.seat.manager.access.CredentialCheck.Result;
import io.forebay.testing.Munged;
import io.forebay.wire.message.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of a real munged, checked as for a manager's loop. */
@Timeout(60)
class MungeTest {
  private static final int HOUR = 3600;
  private static final Identity SELF = LocalIdentity.current();

  @TempDir private Path folder;

  @BeforeEach
  void isInstalled() throws Exception {
    assumeTrue(Munged.missing().isEmpty(), Munged.missing());
    assumeTrue(Munge.isInstalled(), "needs libmunge: run dev/optional-packages");
    // Other users reach munged's socket.
    Files.setAttribute(folder, "unix:mode", 0755);
  }

  /** Asks and waits, as a loop does. */
  private static Result check(Munge munge, byte[] credential) throws InterruptedException {
    Semaphore woken = new Semaphore(0);
    List<Result> answers = new ArrayList<>();
    try (MungeCheck check = new MungeCheck(munge, woken::release)) {
      check.check(Bytes.copyOf(credential), answers::add);
      woken.acquire();
      assertThat(check.poll()).isTrue();
    }
    assertThat(answers).hasSize(1);
    return answers.get(0);
  }

  private static String refusal(Result result) {
    return result instanceof Result.Refused refused ? refused.sentence() : result.toString();
  }

  @Test
  void aCredentialIsGenuineOnce() throws Exception {
    try (Munged munged = Munged.start(folder.resolve("munge"))) {
      Munge munge = new Munge(munged.socket());
      munge.probe();
      byte[] own = munge.encode("some content").getBytes(US_ASCII);
      assertThat(check(munge, own))
          .isInstanceOfSatisfying(
              Result.Genuine.class,
              genuine -> {
                assertThat(genuine.user().user()).isEqualTo(SELF.user());
                assertThat(genuine.content()).isEqualTo("some content");
              });
      assertThat(refusal(check(munge, own))).contains("was used before; connect again");
      byte[] changed = munge.encode("some content").getBytes(US_ASCII);
      changed[changed.length / 2] ^= 1;
      assertThat(check(munge, changed)).isInstanceOf(Result.Refused.class);
      assertThat(refusal(check(munge, "nonsense".getBytes(US_ASCII))))
          .contains("it is no credential of MUNGE");
    }
  }

  @Test
  void anOldCredentialIsRefused() throws Exception {
    try (Munged munged = Munged.start(folder.resolve("munge"))) {
      Munge munge = new Munge(munged.socket());
      byte[] brief = munged.credential(List.of(), "content", 1);
      Result said = check(munge, brief);
      // Until the second has passed it is refused since it was used.
      while (said instanceof Result.Genuine || refusal(said).contains("used before")) {
        said = check(munge, brief);
      }
      assertThat(refusal(said)).contains("has expired; compare the clocks");
    }
  }

  @Test
  void anotherKeyIsRefused() throws Exception {
    try (Munged here = Munged.start(folder.resolve("here"));
        Munged there = Munged.start(folder.resolve("there"))) {
      byte[] foreign = there.credential(List.of(), "content", HOUR);
      assertThat(refusal(check(new Munge(here.socket()), foreign))).contains("the same munge.key");
    }
  }

  @Test
  void anotherUserIsProvedAsThatUser() throws Exception {
    assumeTrue(SELF.user() == Identity.ROOT, "needs root: run the suite as root");
    try (Munged munged = Munged.start(folder.resolve("munge"))) {
      List<String> as = List.of("setpriv", "--reuid=1234", "--regid=4321", "--clear-groups");
      byte[] credential = munged.credential(as, "content", HOUR);
      assertThat(check(new Munge(munged.socket()), credential))
          .isEqualTo(new Result.Genuine(new Identity(1234, List.of(4321)), "content"));
      List<String> inRootsGroup = List.of("setpriv", "--reuid=1234", "--regid=0", "--clear-groups");
      assertThat(check(new Munge(munged.socket()), munged.credential(inRootsGroup, "", HOUR)))
          .as("the group of root is not taken")
          .isEqualTo(new Result.Genuine(new Identity(1234, List.of(1234)), ""));
    }
  }

  @Test
  void withoutMungedItCannotBeChecked() throws Exception {
    assertThat(check(new Munge(folder.resolve("none")), "MUNGE:AAAA:".getBytes(US_ASCII)))
        .isInstanceOfSatisfying(
            Result.Unavailable.class,
            not ->
                assertThat(not.sentence())
                    .contains("munged does not answer on the manager's machine")
                    .endsWith("start it there"));
  }
}
