// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import io.forebay.job.directive.Directives.BufferType;
import io.forebay.job.directive.Directives.JobBuffer;
import io.forebay.job.directive.Directives.Stage;

/** Whether the script asks for the buffers that its stages name. */
final class StageChecks {
  private StageChecks() {}

  static void check(Directives directives) throws BadDirective {
    for (Stage stage : directives.stageIns()) check(directives, stage);
    for (Stage stage : directives.stageOuts()) {
      check(directives, stage);
      BufferPath buffer = stage.buffer();
      if (buffer != null && buffer.root() == BufferPath.Root.JOB_PRIVATE) {
        throw new BadDirective(
            stage.line(),
            "files in $DW_JOB_PRIVATE are different on each node, so they cannot be staged out by a"
                + " directive; copy them in the job, or write them to $DW_JOB_STRIPED");
      }
    }
  }

  private static void check(Directives directives, Stage stage) throws BadDirective {
    BufferPath buffer = stage.buffer();
    if (buffer == null) {
      if (directives.jobBuffer() == null && directives.uses().isEmpty()) {
        throw new BadDirective(
            stage.line(),
            "the script asks for no buffer; write '#DW jobdw' or '#DW persistentdw' above it");
      }
      return;
    }
    switch (buffer.root()) {
      case JOB_STRIPED -> require(directives, stage, buffer, AccessMode.Kind.STRIPED);
      case JOB_PRIVATE -> require(directives, stage, buffer, AccessMode.Kind.PRIVATE);
      case JOB_STRIPED_CACHE, JOB_LDBAL_CACHE ->
          throw new BadDirective(
              stage.line(),
              buffer.variable()
                  + " is a cache, which reads and writes its directory itself; remove the line");
      case PERSISTENT_STRIPED -> {
        if (directives.uses().stream().noneMatch(use -> use.name().equals(buffer.persistent()))) {
          throw new BadDirective(
              stage.line(),
              "%s is of a buffer that the script does not use; write '#DW persistentdw name=%s'"
                  .formatted(buffer.variable(), buffer.persistent()));
        }
      }
    }
  }

  private static void require(
      Directives directives, Stage stage, BufferPath path, AccessMode.Kind kind)
      throws BadDirective {
    JobBuffer job = directives.jobBuffer();
    String mode = kind == AccessMode.Kind.PRIVATE ? "private" : "striped";
    if (job == null) {
      throw new BadDirective(
          stage.line(),
          "%s is of a buffer that the script does not ask for; write '#DW jobdw capacity=100GiB"
                  .formatted(path.variable())
              + " access_mode=%s type=scratch'".formatted(mode));
    }
    if (job.type() == BufferType.CACHE) {
      throw new BadDirective(
          stage.line(),
          "the job's buffer is a cache, which reads and writes its directory itself; remove the"
              + " line, or write type=scratch in line "
              + job.line());
    }
    if (!job.has(kind)) {
      throw new BadDirective(
          stage.line(),
          "%s needs access_mode=%s; add it in line %d, such as access_mode=striped,private"
              .formatted(path.variable(), mode, job.line()));
    }
  }
}
