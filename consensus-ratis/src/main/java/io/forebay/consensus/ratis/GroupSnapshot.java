// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import java.nio.ByteBuffer;

/**
 * A state of the group.
 *
 * @param begun whether the state that the group began with is in it
 */
record GroupSnapshot(boolean begun, Bytes state) {
  private static final int BEGUN_OFFSET = 0;
  private static final int STATE_OFFSET = BEGUN_OFFSET + 1;

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(STATE_OFFSET + state.length());
    return bytes.put(BEGUN_OFFSET, (byte) (begun ? 1 : 0)).put(STATE_OFFSET, state.toArray());
  }

  static GroupSnapshot decode(ByteBuffer bytes) {
    return new GroupSnapshot(
        bytes.get(BEGUN_OFFSET) == 1,
        Bytes.copyOf(bytes.slice(STATE_OFFSET, bytes.remaining() - STATE_OFFSET)));
  }
}
