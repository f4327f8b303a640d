// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;

/** One direction of a connection in memory. It takes so many bytes and then waits. */
final class Wire {
  private final ArrayDeque<Byte> bytes = new ArrayDeque<>();
  private final int roomBytes;
  private boolean ended;
  private long passed;

  /** The position in the stream of the byte that arrives changed; -1 for none. */
  private long broken = -1;

  Wire(int roomBytes) {
    this.roomBytes = roomBytes;
  }

  void end() {
    ended = true;
  }

  /** Changes the byte that comes so far behind all that was sent until now. */
  void breakAfter(int more) {
    broken = passed + bytes.size() + more;
  }

  int waiting() {
    return bytes.size();
  }

  void dropLast(int count) {
    for (int i = 0; i < count; i++) bytes.removeLast();
  }

  private int take(ByteBuffer from) {
    int count = 0;
    while (from.hasRemaining() && bytes.size() < roomBytes) {
      byte next = from.get();
      boolean changed = broken >= 0 && passed + bytes.size() == broken;
      bytes.addLast((byte) (changed ? next ^ 1 : next));
      count++;
    }
    return count;
  }

  private int give(ByteBuffer into) {
    if (bytes.isEmpty()) return ended ? -1 : 0;
    int count = 0;
    while (into.hasRemaining() && !bytes.isEmpty()) {
      into.put(bytes.removeFirst());
      passed++;
      count++;
    }
    return count;
  }

  /** An end that reads from one wire and writes to another. */
  static ByteChannel end(Wire in, Wire out) {
    return new ByteChannel() {
      @Override
      public int read(ByteBuffer into) {
        return in.give(into);
      }

      @Override
      public int write(ByteBuffer from) {
        return out.take(from);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {
        out.end();
      }
    };
  }
}
