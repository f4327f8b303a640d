// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.right;

import io.forebay.base.proof.Rights;

/** What the sender of a message must have proved. */
public enum Need {
  /** It is no request: it greets, or answers a request of the receiver. */
  ANSWER(0),
  /** Nothing: it is how a program proves itself. */
  NOTHING(0),
  /** Any proof. */
  PROOF(0),
  /** The right to observe the instance, or the cluster. */
  OBSERVE(Rights.OBSERVE),
  /** The right to read the instance. */
  READ(Rights.READ),
  /** The right to write the instance. */
  WRITE(Rights.WRITE),
  /**
   * The right to administer the instance, of its owner: what servers do with the owner's rights.
   */
  ADMINISTER(Rights.ADMINISTER),
  /** It comes from a seat of the cluster. */
  SEAT(0),
  /** It comes from the agent of a node, or an operator. */
  AGENT(0),
  /** It comes from a manager of the cluster, or an operator. */
  MANAGER(0),
  /** It comes from an operator. */
  OPERATOR(0);

  private final int right;

  Need(int right) {
    this.right = right;
  }

  /** The right that a capability must have; 0 if no capability helps. */
  public int right() {
    return right;
  }
}
