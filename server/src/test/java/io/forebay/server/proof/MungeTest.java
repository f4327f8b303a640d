// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.MonotonicClock;
import io.forebay.client.host.LocalIdentity;
import io.forebay.server.proof.CredentialCheck.Result;
import io.forebay.wire.message.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of a real munged. */
@Timeout(60)
class MungeTest {
  private static final int HOUR = 3600;
  private static final Identity SELF = LocalIdentity.current();

  @TempDir private Path folder;

  @BeforeEach
  void open() throws Exception {
    Files.setAttribute(folder, "unix:mode", 0755);
  }

  private static MungeCredentials checking(Munge munge) {
    return new MungeCredentials(munge, new SystemUsers(MonotonicClock.system()));
  }

  private static String refusal(Result result) {
    return result instanceof Result.Refused refused ? refused.sentence() : result.toString();
  }

  @Test
  void aCredentialProvesItsUserOnce() throws Exception {
    try (Munged munged = Munged.start(folder)) {
      Munge munge = new Munge(munged.socket());
      MungeCredentials check = checking(munge);
      byte[] own = munge.encode(MungeCredentials.PURPOSE).getBytes(US_ASCII);
      assertThat(check.check(own))
          .isInstanceOfSatisfying(
              Result.Proved.class,
              proved -> assertThat(proved.user().user()).isEqualTo(SELF.user()));
      assertThat(refusal(check.check(own))).contains("was used before; make another one");
      byte[] elsewhere = munge.encode("another service").getBytes(US_ASCII);
      assertThat(refusal(check.check(elsewhere))).contains("made for something else");
      byte[] changed = munge.encode(MungeCredentials.PURPOSE).getBytes(US_ASCII);
      changed[changed.length / 2] ^= 1;
      assertThat(refusal(check.check(changed))).contains("the credential of MUNGE is refused:");
      assertThat(refusal(check.check("nonsense".getBytes(US_ASCII)))).contains("is refused:");
      assertThat(refusal(check.check(new byte[10_000]))).contains("no credential");
    }
  }

  @Test
  void anOldCredentialIsRefused() throws Exception {
    try (Munged munged = Munged.start(folder)) {
      MungeCredentials check = checking(new Munge(munged.socket()));
      byte[] short1 = munged.credential(List.of(), MungeCredentials.PURPOSE, 1);
      String said = refusal(check.check(short1));
      // Until the second has passed it is refused since it was used.
      while (said.contains("used before") || said.contains("Proved")) {
        Thread.onSpinWait();
        said = refusal(check.check(short1));
      }
      assertThat(said).contains("has expired; make another one");
    }
  }

  @Test
  void anotherUserIsProvedAsThatUser() throws Exception {
    assumeTrue(SELF.user() == Identity.ROOT, "needs root: run the suite as root");
    try (Munged munged = Munged.start(folder)) {
      List<String> as = List.of("setpriv", "--reuid=1234", "--regid=4321", "--clear-groups");
      byte[] credential = munged.credential(as, MungeCredentials.PURPOSE, HOUR);
      assertThat(checking(new Munge(munged.socket())).check(credential))
          .as("a user without an account has the group of the credential")
          .isEqualTo(new Result.Proved(new Identity(1234, List.of(4321))));
    }
  }

  @Test
  void withoutMungedThereIsASentence() {
    assumeTrue(Munge.isInstalled(), "needs libmunge: run dev/optional-packages");
    Munge munge = new Munge(folder.resolve("none"));
    assertThatThrownBy(() -> munge.encode("text")).hasMessageContaining("munged does not answer");
  }
}
