package io.forebay.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
  private static final FileId FILE = new FileId(1, 1);
  private static final FileId OTHER = new FileId(1, 2);

  private final OpenFiles open = new OpenFiles();

  @Test
  void aLateReleaseDoesNotCloseWhatWasOpenedSince() {
    open.open(FILE, 1, 5);
    assertThat(open.release(FILE, 1, 4)).isFalse();
    assertThat(open.isOpen(FILE)).isTrue();
    assertThat(open.release(FILE, 1, 6)).isTrue();
    assertThat(open.isOpen(FILE)).isFalse();
  }

  @Test
  void whoseEndNobodyHeardOfHasNothingOpen() {
    open.open(FILE, 1, 1);
    open.open(OTHER, 1, 2);
    open.open(OTHER, 2, 1);
    open.endAllBut(Set.of(2L));
    assertThat(open.isOpen(FILE)).isFalse();
    assertThat(open.isOpen(OTHER)).isTrue();
    assertThat(open.end(2)).containsExactly(OTHER);
  }
}
