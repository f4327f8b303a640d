// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.series.Folder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeepPolicyTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long NOW_NANOS = 1_000_000 * SECOND_NANOS;

  /** A tree of files that are told by their paths; each is a second younger than the one before. */
  private static final class Tree implements Folder {
    private final TreeMap<String, Object> children = new TreeMap<>();

    private record File(long number, long modifyNanos, boolean clean) {}

    private static Tree of(List<String> paths) {
      Tree root = new Tree();
      for (int i = 0; i < paths.size(); i++) {
        boolean clean = !paths.get(i).endsWith("!");
        String[] parts = paths.get(i).replace("!", "").split("/", -1);
        Tree at = root;
        for (int j = 0; j < parts.length - 1; j++) {
          at = (Tree) at.children.computeIfAbsent(parts[j], name -> new Tree());
        }
        long age = (long) paths.size() - i;
        at.children.put(
            parts[parts.length - 1], new File(i, NOW_NANOS - age * SECOND_NANOS, clean));
      }
      return root;
    }

    @Override
    public void visit(Visitor visitor) {
      children.forEach(
          (name, child) -> {
            if (child instanceof File file) {
              visitor.file(name, file.number, file.modifyNanos, file.clean);
            } else {
              visitor.folder(name, (Tree) child);
            }
          });
    }
  }

  /** The paths that are preferred; those with an exclamation mark are not in the store. */
  private static List<String> kept(String policy, String... paths) {
    Keeping keeping = Keeping.of(KeepPolicy.parse(policy), Tree.of(List.of(paths)), NOW_NANOS);
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < paths.length; i++) {
      if (keeping.prefers(i)) kept.add(paths[i]);
    }
    return kept;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "last=3",
        "age=2h",
        "rest=drop",
        "reads",
        "last=2,reads",
        "last=1,age=90s,series=a-*,series=/b/c#,rest=drop",
        ""
      })
  void whatIsPrintedIsWhatIsRead(String text) {
    assertThat(KeepPolicy.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "last        | 'last' is not known",
        "last=0      | '0' is no number",
        "last=2,last=3 | 'last' stands twice",
        "age=2,last=1 | '2' is no time",
        "series=a-*  | does not say how many",
        "last=1,series=a | describes no series",
        "last=1,rest=keep | 'rest=keep' is not known",
        "reads,series=a-* | does not say how many",
        "reads,rest=drop | gives up at once what 'reads' brings",
        "reads=1 | 'reads' is not known",
        "last=9000000 | 1 to 1000000",
        "age=9999999d | at most 10 years",
      })
  void whatMakesNoSenseIsNamed(String text, String why) {
    assertThatThrownBy(() -> KeepPolicy.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' does not say what to keep")
        .hasMessageContaining(why)
        .hasMessageContaining("write last=3");
  }

  @Test
  void theLastOfEachSeriesAreKept() {
    assertThat(kept("last=2", "ckpt-1", "ckpt-2", "ckpt-3", "other", "chk-1", "sub/ckpt-1"))
        .containsExactly("ckpt-2", "ckpt-3", "chk-1", "sub/ckpt-1");
  }

  @Test
  void aCheckpointMayBeADirectoryOrSeveralFiles() {
    assertThat(
            kept("last=1", "step_1/rank-0", "step_1/rank-1", "step_2/rank-0", "step_2/deep/rank-1"))
        .containsExactly("step_2/rank-0", "step_2/deep/rank-1");
    assertThat(kept("last=1", "m.ckpt-1.index", "m.ckpt-2.index", "m.ckpt-2.data-0-of-1"))
        .containsExactly("m.ckpt-2.index", "m.ckpt-2.data-0-of-1");
  }

  @Test
  void whatIsNotInTheStoreYetTakesNobodysPlace() {
    assertThat(kept("last=1", "ckpt-1", "ckpt-2", "ckpt-3!")).containsExactly("ckpt-2");
    assertThat(kept("last=1", "step_1/a", "step_1/b", "step_2/a", "step_2/b!"))
        .containsExactly("step_1/a", "step_1/b");
  }

  @Test
  void whatIsYoungIsKept() {
    assertThat(kept("age=2s", "a", "b", "ckpt-1", "ckpt-2")).containsExactly("ckpt-1", "ckpt-2");
    assertThat(kept("age=2s", "ckpt-1/x", "ckpt-2", "y", "ckpt-1/z"))
        .as("a checkpoint is as young as its youngest file")
        .containsExactly("ckpt-1/x", "y", "ckpt-1/z");
    assertThat(kept("age=2s,last=1", "a-1", "b-1", "a-2", "a-3"))
        .containsExactly("b-1", "a-2", "a-3");
  }

  @Test
  void aPatternSaysWhatCounts() {
    assertThat(kept("last=1,age=1h,series=ckpt-*", "plt-1", "ckpt-1", "sub/ckpt-2"))
        .containsExactly("ckpt-1", "sub/ckpt-2");
    assertThat(kept("last=1,series=/sub/*", "ckpt-1", "sub/a3", "sub/b4", "sub/x"))
        .containsExactly("sub/b4");
  }

  @Test
  void runsThatAreNumberedAreNoCheckpoints() {
    assertThat(kept("last=1", "run_1/ckpt-1", "run_1/ckpt-2", "run_2/ckpt-1"))
        .containsExactly("run_1/ckpt-2", "run_2/ckpt-1");
    assertThat(kept("last=1", "out_1/a", "out_2/a")).containsExactly("out_2/a");
  }

  @Test
  void ofWhatIsKeptTheOldestCheckpointGoesFirst() {
    Keeping keeping =
        Keeping.of(
            KeepPolicy.parse("last=9"), Tree.of(List.of("a-1/x", "b-7", "a-1/y")), NOW_NANOS);
    assertThat(keeping.writtenNanos(0)).isEqualTo(keeping.writtenNanos(2));
    assertThat(keeping.writtenNanos(1)).isLessThan(keeping.writtenNanos(0));
  }
}
