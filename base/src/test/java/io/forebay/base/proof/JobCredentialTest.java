// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JobCredentialTest {
  private final JobCredential drawn = JobCredential.draw("a.b-1", new SplittableRandom(1));

  @Test
  void itsTextHasAllOfIt() {
    assertThat(JobCredential.parse(drawn.text())).isEqualTo(drawn);
    assertThat(drawn.text()).startsWith("fbj1.a.b-1.").matches("[A-Za-z0-9._-]+");
  }

  @Test
  void otherTextsAreNone() {
    String text = drawn.text();
    for (String bad :
        new String[] {"", "fbj1.", "fbj1..", "a.b-1", text + "A", text.substring(1), "fbj1.x.?"}) {
      assertThat(JobCredential.parse(bad)).as(bad).isNull();
    }
  }

  @Test
  void onlyItsSecretHasItsHash() {
    JobCredential other = JobCredential.draw("a.b-1", new SplittableRandom(2));
    assertThat(JobCredential.isSecret(drawn.secret(), drawn.hash())).isTrue();
    assertThat(JobCredential.isSecret(other.secret(), drawn.hash())).isFalse();
    assertThat(JobCredential.isSecret(Bytes.EMPTY, Bytes.EMPTY)).isFalse();
    assertThat(JobCredential.isSecret(drawn.secret(), Bytes.EMPTY)).isFalse();
  }

  @Test
  void messagesToPeopleDoNotHaveTheSecret() {
    assertThat(drawn.toString()).isEqualTo("the credential of job a.b-1");
  }
}
