// SPDX-License-Identifier: Apache-2.0

/**
 * Tokens and certificates at the manager: who may have which. The manager's loop alone calls it; it
 * signs nothing itself. Start reading at {@link
 * io.forebay.seat.manager.certificate.CertificateDesk}.
 */
@NullMarked
package io.forebay.seat.manager.certificate;

import org.jspecify.annotations.NullMarked;
