// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

/** A manager's events for operators, as sentences. Called on its owner's loop. */
public interface ManagerEvents {
  void told(String sentence);

  /** Something costs safety or service: to be logged loudly. */
  void warned(String sentence);
}
