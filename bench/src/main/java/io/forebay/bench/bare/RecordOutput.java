// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import io.forebay.base.BlockChecksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Sends records of one length: the checksums of its blocks, then the payload. */
final class RecordOutput {
  private final SocketChannel socket;
  private final int headBytes;
  private final ByteBuffer heads;
  private final ByteBuffer[] gathered;
  private int count;

  /**
   * Makes one.
   *
   * @param batchMax the maximum number of records that are gathered before they are sent
   */
  RecordOutput(SocketChannel socket, int payloadBytes, int batchMax) {
    this.socket = socket;
    this.headBytes = BlockChecksums.count(payloadBytes) * Integer.BYTES;
    this.heads = ByteBuffer.allocateDirect(headBytes * batchMax);
    this.gathered = new ByteBuffer[2 * batchMax];
  }

  /** Computes the checksums and gathers the record. */
  void add(ByteBuffer payload) {
    add(payload, BlockChecksums.of(payload));
  }

  /** Gathers a record with known checksums. */
  void add(ByteBuffer payload, int[] checksums) {
    ByteBuffer head = heads.slice(count / 2 * headBytes, headBytes);
    for (int checksum : checksums) head.putInt(checksum);
    gathered[count++] = head.flip();
    gathered[count++] = payload;
  }

  /** Sends the gathered records. */
  void flush() throws IOException {
    ByteBuffer last = gathered[count - 1];
    while (last.hasRemaining()) socket.write(gathered, 0, count);
    count = 0;
  }
}
