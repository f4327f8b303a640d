// SPDX-License-Identifier: Apache-2.0

/**
 * The audit log of a server or manager: lines of JSON about what users and operators did. Loops
 * hand events over without waiting; a thread writes them. {@link
 * io.forebay.server.audit.AuditSource} reads them back. Start reading at {@link
 * io.forebay.server.audit.AuditLog}.
 */
@NullMarked
package io.forebay.server.audit;

import org.jspecify.annotations.NullMarked;
