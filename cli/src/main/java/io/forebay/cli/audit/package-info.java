// SPDX-License-Identifier: Apache-2.0

/**
 * {@code forebay audit}: reads the audit logs of servers and managers. One thread. Start reading at
 * {@link io.forebay.cli.audit.AuditCommand}.
 */
@NullMarked
package io.forebay.cli.audit;

import org.jspecify.annotations.NullMarked;
