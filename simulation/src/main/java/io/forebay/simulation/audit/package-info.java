// SPDX-License-Identifier: Apache-2.0

/**
 * Checks a running world for states that break a rule of the protocol; one class for each group of
 * rules. An audit changes nothing. Entered by runs and users. One thread. Start reading at {@link
 * io.forebay.simulation.audit.Audit}.
 */
@NullMarked
package io.forebay.simulation.audit;

import org.jspecify.annotations.NullMarked;
