// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.store.disk.Disk.Completion;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** A pending request of a {@link FaultyDisk}. */
sealed interface FaultyRequest {
  String name();

  Completion completion();

  record Create(String name, long bytes, Completion completion) implements FaultyRequest {}

  record Write(String name, long position, ByteBuffer source, Completion completion)
      implements FaultyRequest {}

  record Read(String name, long position, ByteBuffer target, Completion completion)
      implements FaultyRequest {}

  /**
   * A force.
   *
   * @param dirty the sectors that were dirty on submission, and so must be durable on success
   */
  record Force(String name, BitSet dirty, Completion completion) implements FaultyRequest {}

  record Delete(String name, Completion completion) implements FaultyRequest {}

  record Map(String name, Completion completion) implements FaultyRequest {}
}
