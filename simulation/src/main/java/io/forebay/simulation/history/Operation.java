// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a client. Begin and end have positions in the history, which order them even if
 * the clock stands still; all decisions use positions.
 */
public final class Operation implements Comparable<Operation> {
  /** The position of an event that did not happen. */
  public static final int NEVER = Integer.MAX_VALUE;

  private final int number;
  private final int client;
  private final Action action;
  private final int begun;
  private final long begunNanos;
  private int ended = NEVER;
  private long endedNanos;
  private @Nullable Ending ending;

  Operation(int number, int client, Action action, int begun, long begunNanos) {
    this.number = number;
    this.client = client;
    this.action = action;
    this.begun = begun;
    this.begunNanos = begunNanos;
  }

  void end(Ending how, int position, long nanos) {
    ending = how;
    ended = position;
    endedNanos = nanos;
  }

  public int number() {
    return number;
  }

  public int client() {
    return client;
  }

  public Action action() {
    return action;
  }

  /** Null if it has not ended. */
  public @Nullable Ending ending() {
    return ending;
  }

  /** The position of its begin. */
  public int begun() {
    return begun;
  }

  /** The position of its end. */
  public int ended() {
    return ended;
  }

  /** Whether it was certainly done. */
  public boolean isDone() {
    return ending instanceof Ending.Done;
  }

  /** Whether it was certainly not done. */
  public boolean isRefused() {
    return ending instanceof Ending.Refused;
  }

  @Override
  public int compareTo(Operation other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return number;
  }

  /** Its number, client and times. */
  @Override
  public String toString() {
    String until = ending == null ? "not ended" : "to " + millis(endedNanos);
    return "#" + number + " of client " + client + " (" + millis(begunNanos) + " " + until + ")";
  }

  /** Everything about the operation. */
  String describe() {
    return this + ": " + action + (ending == null ? "" : " -> " + ending);
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
  }
}
