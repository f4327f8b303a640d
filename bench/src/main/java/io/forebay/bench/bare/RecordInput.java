// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import io.forebay.base.BlockChecksums;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Receives records of one length and verifies them where they have landed. Long payloads are read
 * straight into place; short ones come many at a time through a buffer.
 */
final class RecordInput {
  /** Where payloads go. */
  interface Places {
    /** Room for exactly one payload. */
    ByteBuffer next();
  }

  private static final int BUFFER_BYTES = 128 * 1024;

  private final SocketChannel socket;
  private final int payloadBytes;
  private final Places places;
  private final int[] expected;
  private final ByteBuffer head;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  RecordInput(SocketChannel socket, int payloadBytes, Places places) {
    this.socket = socket;
    this.payloadBytes = payloadBytes;
    this.places = places;
    this.expected = new int[BlockChecksums.count(payloadBytes)];
    this.head = ByteBuffer.allocateDirect(expected.length * Integer.BYTES);
  }

  /** Waits for at least one record and takes all that have arrived; returns their number. */
  int receive() throws IOException {
    if (payloadBytes < BareRequest.LONG_BYTES) return receiveBuffered();
    head.clear();
    BareRequest.readFully(socket, head);
    ByteBuffer place = places.next();
    int start = place.position();
    BareRequest.readFully(socket, place);
    verify(head.flip(), place.position(start));
    return 1;
  }

  private int receiveBuffered() throws IOException {
    int recordBytes = head.capacity() + payloadBytes;
    while (buffer.position() < recordBytes) {
      if (socket.read(buffer) < 0) throw new EOFException("the other end is gone");
    }
    buffer.flip();
    int count = 0;
    for (; buffer.remaining() >= recordBytes; count++) {
      ByteBuffer place = places.next();
      int payloadAt = buffer.position() + head.capacity();
      place.put(place.position(), buffer, payloadAt, payloadBytes);
      verify(buffer, place);
      buffer.position(payloadAt + payloadBytes);
    }
    buffer.compact();
    return count;
  }

  private void verify(ByteBuffer checksums, ByteBuffer place) throws IOException {
    for (int block = 0; block < expected.length; block++) expected[block] = checksums.getInt();
    if (BlockChecksums.firstMismatch(place, expected) >= 0) {
      throw new IOException("a record was damaged in transit");
    }
  }
}
