// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import java.util.List;

/** What is recorded of a stage, in the pairs of its instance. Times are nanoseconds since 1970. */
public final class StageNote {
  /** The first field of each; readers refuse others. */
  public static final int VERSION = 3;

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
   * The progress; written by the server that walks.
   *
   * @param attempt the number of starts, on any server
   * @param others the servers that copy beside it
   * @param startedNanos when this start began
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
      long bytesPresent,
      long bytesCopied,
      long filesFailed,
      long notes,
      String failure,
      List<String> others,
      long startedNanos,
      long endedNanos) {
    public Progress {
      others = List.copyOf(others);
    }

    /** Before any server has begun. */
    public static Progress none(StageStatus.State state) {
      return new Progress(
          VERSION, state, 0, "", false, 0, 0, 0, 0, 0, 0, 0, 0, "", List.of(), 0, 0);
    }

    /** To be begun once more; the number of starts stays. */
    Progress asPending() {
      StageStatus.State pending = StageStatus.State.PENDING;
      return new Progress(
          VERSION, pending, attempt, "", false, 0, 0, 0, 0, 0, 0, 0, 0, "", List.of(), 0, 0);
    }
  }

  /**
   * A file that is to be copied, as the server found it that walks through the source.
   *
   * @param newName its name at the destination
   */
  public record File(
      String name, String newName, long sizeBytes, long modifyNanos, int mode, int links) {}

  /**
   * Files of one directory.
   *
   * @param isNew whether the directory at the destination was made for them
   */
  public record Part(String source, String target, boolean isNew, List<File> files) {
    public Part {
      files = List.copyOf(files);
    }
  }

  /**
   * What another server is to copy: whole files, or a range of one file.
   *
   * @param proof a file at the destination that a server sees only if it has the same file system;
   *     empty if that does not matter
   * @param draft the name of the file that a range is written into; empty for whole files
   */
  public record Task(
      int version, String proof, List<Part> parts, String draft, long offset, long lengthBytes) {
    public Task {
      parts = List.copyOf(parts);
    }
  }

  /**
   * What became of a task.
   *
   * @param task its key, see {@link StageBoard#tasks}
   * @param unable why the server cannot copy for this stage at all; empty if it can
   * @param undone which of its files are not copied, counted from 0 through all parts
   */
  public record Result(
      String task,
      String unable,
      long filesDone,
      long filesPresent,
      long bytesPresent,
      long bytesCopied,
      List<Integer> undone) {
    public Result {
      undone = List.copyOf(undone);
    }
  }

  /**
   * What a server tells of its tasks for a stage.
   *
   * @param beat differs from the one before, about once a second
   * @param busy tasks that it has not finished
   * @param results of tasks that are still recorded
   */
  public record Report(int version, long beat, List<String> busy, List<Result> results) {
    public Report {
      busy = List.copyOf(busy);
      results = List.copyOf(results);
    }
  }

  /** Some of its problems. */
  public record Problems(int version, List<StageProblem> problems) {
    public Problems {
      problems = List.copyOf(problems);
    }
  }
}
