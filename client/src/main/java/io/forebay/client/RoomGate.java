package io.forebay.client;

import io.forebay.client.core.OpenFile;
import io.forebay.wire.message.ErrorCode;
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

  /**
   * Takes room for writes to come, all of it or none: what one client has taken is missing to all
   * others until it leaves.
   */
  void reserve(OpenFile file, long bytes, String path) throws IOException {
    if (bytes == 0) return;
    long free = loop.call(path, file::freeBytes);
    if (bytes > free) {
      throw new FileRefusedException(
          path, ErrorCode.NO_SPACE, "room for " + bytes + " bytes, of which " + free + " are free");
    }
    for (long got = 0; got < bytes; ) {
      long missing = bytes - got;
      long more = loop.call(path, () -> file.takeRoom(missing));
      add(file.session(), more);
      got += more;
    }
  }

  /** Takes it from what is left; how much is missing if that is not enough. */
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
