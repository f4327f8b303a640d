// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.audit;

/** Gets what users and operators did, for an audit. Called on a loop; must not block. */
public interface AuditEvents {
  /** A request was carried out or refused, or something happened without one. */
  default void audited(AuditEvent event) {}
}
