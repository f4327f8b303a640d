// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;

/** Requests whose answers show only that the other end lives. */
final class SignsOfLife {
  private SignsOfLife() {}

  /**
   * Whether any seat that is not overloaded answers at once: that says nothing about other
   * requests.
   */
  static boolean isOnly(Message asked) {
    return Maps.class.equals(asked.getClass().getEnclosingClass())
        || (asked instanceof Names.Request request && request.what() instanceof Names.KeepAlive);
  }
}
