// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.failure;

import io.forebay.wire.message.ErrorCode;

/** A value was replaced or removed while it was being read. Its unread bytes are gone. */
public class ValueReplacedException extends ForebayException {
  private static final long serialVersionUID = 1;

  public ValueReplacedException(String key) {
    super(
        ErrorCode.STALE_HANDLE,
        "the value of '" + key + "' was replaced or removed while it was read; read it again");
  }
}
