// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** A request on behalf of a user: it counts only if the sender may act for that user. */
public interface ClaimsUser extends Message {
  Identity who();
}
