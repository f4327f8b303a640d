// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.seat.audit.AuditEvents;

/** A manager's events for operators, as sentences, and for audits. Called on its owner's loop. */
public interface ManagerEvents extends AuditEvents {
  void told(String sentence);

  /** Something costs safety or service: to be logged loudly. */
  void warned(String sentence);
}
