// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import java.util.Arrays;
import java.util.Locale;

/** How the writes of ranks reach the destination. */
public enum Mode {
  /** Blocking collective writes to the file itself. */
  DIRECT("direct"),
  /** Through a log for each rank. */
  LOG_PROCESS("log/process"),
  /** Through a log for the ranks of each node. */
  LOG_NODE("log/node"),
  /** Through a log for each rank that is flushed to the file while the program runs. */
  LOG_BACKGROUND("log/background"),
  /** Through a log of offsets and lengths, which each rank then writes independently. */
  LOGFS("LogFS"),
  /** The same, written collectively at the end. */
  LOGFS_COLLECTIVE("LogFS collective"),
  /** The whole file on the fast store, then copied. */
  STAGE_OUT("stage-out"),
  /** The whole file on the fast store, copied in the background. */
  ELEVATOR("elevator");

  private final String text;

  Mode(String text) {
    this.text = text;
  }

  /** As it stands in the names of results. */
  public String text() {
    return text;
  }

  /** Whether it is this library's log. */
  public boolean isLog() {
    return this == LOG_PROCESS || this == LOG_NODE || this == LOG_BACKGROUND;
  }

  /** Whether files are complete on the fast store first. */
  boolean isStaged() {
    return this == STAGE_OUT || this == ELEVATOR;
  }

  /** As people write it: {@code log-process}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The mode of a word. */
  public static Mode of(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no mode '" + word + "'"));
  }
}
