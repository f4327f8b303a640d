package io.forebay.client;

import io.forebay.client.core.OpenFile;
import java.io.IOException;

/**
 * The room that writes of this client may fill in an instance with a capacity, so that a write that
 * returns at once still says when there is none. Any thread.
 */
final class RoomGate {
  private final ClientLoop loop;
  private long session;
  private long leftBytes;

  RoomGate(ClientLoop loop) {
    this.loop = loop;
  }

  /** Takes room for so many bytes, or says that there is none. */
  void take(OpenFile file, long bytes, String path) throws IOException {
    while (true) {
      long missing = takeHere(file.session(), bytes);
      if (missing == 0) return;
      long wanted = Math.max(missing, file.roomAheadBytes());
      long got = loop.call(path, () -> file.takeRoom(wanted));
      add(file.session(), got);
    }
  }

  /** Takes it from what is left; how much is missing if that is not enough. */
  private synchronized long takeHere(long of, long bytes) {
    if (of != session) {
      // Room belongs to a session and ends with it.
      session = of;
      leftBytes = 0;
    }
    if (leftBytes < bytes) return bytes - leftBytes;
    leftBytes -= bytes;
    return 0;
  }

  private synchronized void add(long of, long bytes) {
    if (of == session) leftBytes += bytes;
  }
}
