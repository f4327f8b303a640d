// SPDX-License-Identifier: Apache-2.0

/**
 * Which requests at a manager or a seat are recorded for an audit, and what of them. The doors call
 * it on their loop with each answer. Start reading at {@link io.forebay.seat.audit.AuditEvents}.
 */
@NullMarked
package io.forebay.seat.audit;

import org.jspecify.annotations.NullMarked;
