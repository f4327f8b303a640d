// SPDX-License-Identifier: Apache-2.0

/**
 * What several managers promise together, and requests that are repeated until one of them answers.
 * One thread. Start reading at {@link io.forebay.simulation.agreement.AgreementAudit}.
 */
@NullMarked
package io.forebay.simulation.agreement;

import org.jspecify.annotations.NullMarked;
