// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.job.directive.AccessMode;
import io.forebay.job.service.JobService.Persistent;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.ended.EndedInstances;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferOptionsTest {
  private static final long MIB = 1 << 20;

  private static String protection(String ofPool, AccessMode mode) {
    List<Pool> pools = List.of(new Pool(Pool.DEFAULT, MIB, 0, ofPool));
    RingMap map = new RingMap(1, 1, 1, List.of(), List.of(), List.of(), EndedInstances.NONE, pools);
    Persistent asked = new Persistent("atlas", 1000, 8 * MIB, List.of(mode), null);
    return new BufferOptions(2).of(asked, map).protection();
  }

  private static AccessMode limited() {
    return new AccessMode(AccessMode.Kind.STRIPED, OptionalLong.of(2 * MIB), OptionalLong.of(7));
  }

  /** A user's limit does not make the limits of the pool's administrator stricter. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                         | file-size=2MiB,files=7,log,error",
        "window=10x/24h,log       | window=10x/1d,file-size=2MiB,files=7,log",
        "files=5,error            | file-size=2MiB,files=5,error",
        "file-size=1MiB,log,error | file-size=1MiB,files=7,log,error"
      })
  void whatHappensBeyondALimitIsWhatThePoolSays(String ofPool, String expected) {
    assertThat(protection(ofPool == null ? "" : ofPool, limited())).isEqualTo(expected);
  }

  @Test
  void withoutLimitsThePoolsProtectionHolds() {
    assertThat(protection("window=10x/24h,log", AccessMode.of(AccessMode.Kind.STRIPED))).isEmpty();
  }
}
