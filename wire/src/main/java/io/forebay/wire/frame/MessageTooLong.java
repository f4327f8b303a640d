// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

import io.forebay.base.fields.FieldsTooLong;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Message;

/** A message of this program that exceeds the maximum length. */
public final class MessageTooLong extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  MessageTooLong(Message message, FieldsTooLong cause) {
    super(
        "%s of more than %d bytes"
            .formatted(message.getClass().getSimpleName(), WireLimits.BODY_BYTES_MAX),
        cause);
  }
}
