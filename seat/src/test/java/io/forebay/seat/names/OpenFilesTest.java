// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.wire.message.Names;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
  private static final FileId FILE = new FileId(1, 1);
  private static final FileId OTHER = new FileId(1, 2);

  private final OpenFiles open = new OpenFiles(100);

  @Test
  void aLateReleaseDoesNotCloseWhatWasOpenedSince() {
    open.open(FILE, 1, 5, 0);
    assertThat(open.release(FILE, 1, 4)).isFalse();
    assertThat(open.isOpen(FILE)).isTrue();
    assertThat(open.release(FILE, 1, 6)).isTrue();
    assertThat(open.isOpen(FILE)).isFalse();
  }

  @Test
  void aReleaseClosesNoOpenThatItsClientHadNotHeardOf() {
    open.open(FILE, 1, 5, 0);
    open.open(FILE, 1, 7, 0);
    assertThat(open.release(FILE, 1, 5)).isFalse();
    assertThat(open.isOpen(FILE)).isTrue();
    assertThat(open.release(FILE, 1, 7)).isTrue();
  }

  @Test
  void whoseEndNobodyHeardOfHasNothingOpen() {
    open.open(FILE, 1, 1, 0);
    open.open(OTHER, 1, 2, 0);
    open.open(OTHER, 2, 1, 0);
    open.endAllBut(Set.of(2L));
    assertThat(open.isOpen(FILE)).isFalse();
    assertThat(open.isOpen(OTHER)).isTrue();
    assertThat(open.end(2)).containsExactly(OTHER);
  }

  @Test
  void rightsAreThoseOfAllOpensOfTheSession() {
    open.open(FILE, 1, 1, Names.MAY_READ);
    assertThat(open.allows(FILE, 1, Names.MAY_READ)).isTrue();
    assertThat(open.allows(FILE, 1, Names.MAY_WRITE)).isFalse();
    assertThat(open.allows(FILE, 2, Names.MAY_READ)).isFalse();
    open.open(FILE, 1, 2, Names.MAY_WRITE);
    assertThat(open.allows(FILE, 1, Names.MAY_READ | Names.MAY_WRITE)).isTrue();
    open.release(FILE, 1, 3);
    assertThat(open.allows(FILE, 1, Names.MAY_READ)).isFalse();
  }
}
