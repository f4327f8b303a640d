// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import java.util.List;

/** What is recorded of a stage, in the pairs of its instance. Times are nanoseconds since 1970. */
public final class StageNote {
  /** The first field of each; readers refuse others. */
  public static final int VERSION = 1;

  private StageNote() {}

  /**
   * The request; never changed.
   *
   * @param node the client node of the tree, with private access; empty otherwise
   * @param groups the requester's groups; the user is the owner of the instance
   */
  public record Job(
      int version, StageRequest request, String node, List<Integer> groups, long createdNanos) {
    public Job {
      groups = List.copyOf(groups);
    }
  }

  /**
   * The progress; written by the server that works on it.
   *
   * @param attempt the number of starts, on any server
   */
  public record Progress(
      int version,
      StageStatus.State state,
      int attempt,
      String server,
      boolean counted,
      long files,
      long bytes,
      long filesDone,
      long filesPresent,
      long bytesCopied,
      long filesFailed,
      long notes,
      String failure,
      long endedNanos) {
    /** Before any server has begun. */
    public static Progress none(StageStatus.State state) {
      return new Progress(VERSION, state, 0, "", false, 0, 0, 0, 0, 0, 0, 0, "", 0);
    }

    /** To be begun once more; the number of starts stays. */
    Progress asPending() {
      return new Progress(
          VERSION, StageStatus.State.PENDING, attempt, "", false, 0, 0, 0, 0, 0, 0, 0, "", 0);
    }
  }

  /** Some of its problems. */
  public record Problems(int version, List<StageProblem> problems) {
    public Problems {
      problems = List.copyOf(problems);
    }
  }
}
