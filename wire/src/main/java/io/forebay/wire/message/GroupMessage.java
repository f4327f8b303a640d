// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.GroupId;

/**
 * A message to a group in one epoch. A seat that has entered a newer epoch refuses it, and one that
 * has not entered this epoch yet holds it until it has (P12).
 */
public interface GroupMessage extends Message {
  GroupId group();

  /** The epoch in which the sender knows the group. */
  long epoch();
}
