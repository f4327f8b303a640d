// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import java.util.List;

/** A program that a user or a batch system calls, and that the agent runs for it. */
public interface Command {
  /** Runs it to its end. */
  Answer run(Call call);

  /**
   * One call.
   *
   * @param program the name by which it was called
   * @param directory the caller's working directory
   */
  record Call(
      String program, List<String> arguments, String directory, Caller caller, Presence presence) {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * Who calls, as the kernel says.
   *
   * @param operator whether it may act for other users
   */
  record Caller(long user, long group, boolean operator) {}

  /** Whether the caller still waits for its answer. */
  interface Presence {
    boolean isWaiting();
  }

  /** What the caller prints, and its exit code. Batch systems merge both streams, so it is one. */
  record Answer(int exitCode, String text) {
    static final Answer DONE = new Answer(0, "");

    static Answer of(String text) {
      return new Answer(0, text);
    }

    /** A sentence about what went wrong. */
    public static Answer failed(String sentence) {
      return new Answer(1, sentence + "\n");
    }

    /** A sentence about arguments that make no sense. */
    static Answer misused(String sentence) {
      return new Answer(2, sentence + "\n");
    }
  }
}
