// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.order;

/** A question with several possible answers, until all but one are excluded. */
interface Question {
  /** Draws conclusions if only one way is left; whether the question is settled. */
  boolean decide(Orders orders, OrderFindings findings);
}
