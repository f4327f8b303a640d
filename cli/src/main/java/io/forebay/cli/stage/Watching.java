// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;

/** Waits for a stage and shows its progress. */
public final class Watching {
  private static final int DETAIL_CHARS_MAX = 60;

  private Watching() {}

  static StageStatus await(Staging staging, String id, Duration patience, PrintWriter err)
      throws IOException {
    try (Progress progress = Progress.of("staging", err).fromTheStart()) {
      return staging.await(id, patience, status -> show(progress, status));
    }
  }

  /** Draws the progress of a stage; by files, since existing ones have no bytes to copy. */
  public static void show(Progress progress, StageStatus status) {
    String detail = Brief.start(StageText.detail(status), DETAIL_CHARS_MAX);
    progress.update(status.filesDone() + status.filesFailed(), Math.max(1, status.files()), detail);
  }
}
