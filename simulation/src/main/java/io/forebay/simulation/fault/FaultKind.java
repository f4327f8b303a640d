// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import java.util.Locale;

/** The faults that are counted. */
public enum FaultKind {
  SEAT_KILLED,
  SEAT_KILLED_FOR_GOOD,
  SEAT_STOPPED,
  SEAT_CUT_OFF,
  MEMORY_LOST,
  POWER_CUT_OF_ALL,
  MANAGER_KILLED,
  MANAGER_LOG_LOST,
  CLIENT_KILLED,
  CLIENT_STOPPED,
  PARTITION,
  ONE_WAY_PARTITION,
  PAUSE,
  CLOCK_STOOD_STILL,
  CLOCK_JUMP,
  DAMAGED_PAYLOAD,
  READ_ERRORS,
  DISK_FULL,
  WRITE_ERRORS,
  BIT_FLIP,
  SERVER_JOINED,
  SERVER_ASKED_TO_LEAVE,
  STORE_AWAY,
  STORE_FULL,
  STORE_CRASHED;

  /** The name in reports for programs. */
  public String label() {
    StringBuilder label = new StringBuilder();
    for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
      label.append(
          label.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return label.toString();
  }

  /** For people. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
