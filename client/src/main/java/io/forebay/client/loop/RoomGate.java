// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import io.forebay.client.core.OpenFile;
import io.forebay.client.failure.FileRefusedException;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;

/**
 * The room that writes of this client may fill in an instance with a capacity, so that even an
 * asynchronous write reports that there is none. Any thread.
 */
public final class RoomGate {
  private final ClientLoop loop;
  private long session;
  private long leftBytes;

  public RoomGate(ClientLoop loop) {
    this.loop = loop;
  }

  /** Reserves room for bytes that end at an offset, or fails if there is none. */
  void take(OpenFile file, long bytes, long endOffset, String path) throws IOException {
    while (true) {
      long missing = takeHere(file.session(), bytes);
      if (missing == 0) return;
      long wanted = Math.max(missing, file.roomAheadBytes());
      long got = loop.call(path, () -> file.takeRoom(wanted, endOffset));
      add(file.session(), got);
    }
  }

  /**
   * Makes this much room available for later writes, all of it or nothing. Room of one client is
   * unavailable to all others until it disconnects, so reservations do not add up: two calls
   * reserve the larger of both amounts.
   */
  public void reserve(OpenFile file, long bytes, String path) throws IOException {
    long missing = missing(file.session(), bytes);
    if (missing == 0) return;
    long free = loop.call(path, file::freeBytes);
    if (missing > free) {
      throw new FileRefusedException(
          path,
          ErrorCode.NO_SPACE,
          "no room for "
              + bytes
              + " bytes: "
              + missing
              + " are missing, and "
              + free
              + " are free");
    }
    while (missing > 0) {
      long wanted = missing;
      add(file.session(), loop.call(path, () -> file.takeRoom(wanted, 0)));
      missing = missing(file.session(), bytes);
    }
  }

  private synchronized long missing(long of, long bytes) {
    forgetOther(of);
    return Math.max(0, bytes - leftBytes);
  }

  /** Takes it from the reserve; returns how much is missing if that is not enough. */
  private synchronized long takeHere(long of, long bytes) {
    forgetOther(of);
    if (leftBytes < bytes) return bytes - leftBytes;
    leftBytes -= bytes;
    return 0;
  }

  private synchronized void add(long of, long bytes) {
    forgetOther(of);
    leftBytes += bytes;
  }

  /** Room belongs to a session and ends with it. */
  private void forgetOther(long of) {
    if (of == session) return;
    session = of;
    leftBytes = 0;
  }
}
