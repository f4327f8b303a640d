// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayDeque;

/** Bounds the bytes that are requested and have not arrived, over all files and all sources. */
public final class ReadWindow {
  /** Fetches that wait for their turn; more fail. */
  static final int WAITING_MAX = 1024 * 1024;

  private final Router router;
  private final ArrayDeque<Fetch> waiting = new ArrayDeque<>();
  private long flyingBytes;

  public ReadWindow(Router router) {
    this.router = router;
  }

  Router router() {
    return router;
  }

  /** Starts it as soon as there is room. */
  void add(Fetch fetch) {
    if (waiting.size() >= WAITING_MAX) {
      String detail = "more than " + WAITING_MAX + " reads wait to be asked; read less at once";
      fetch.refuse(new RequestFailed(ErrorCode.BUSY, detail));
      return;
    }
    waiting.add(fetch);
    pump();
  }

  /** One that was started has ended. */
  void ended(Fetch fetch) {
    flyingBytes -= fetch.lengthBytes();
    pump();
  }

  private void pump() {
    long window = router.config().sizes().readWindowBytes();
    while (!waiting.isEmpty()) {
      int bytes = waiting.element().lengthBytes();
      if (flyingBytes > 0 && flyingBytes + bytes > window) return;
      flyingBytes += bytes;
      waiting.remove().start();
    }
  }
}
