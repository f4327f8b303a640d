// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

import io.forebay.store.disk.Disk;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One fixed-size file of a tier, in which segments live one after another.
 *
 * @param lasting whether its bytes survive the death of the process
 * @param memory its bytes, where the tier is memory
 */
public record Slot(Disk disk, String name, boolean lasting, @Nullable ByteBuffer memory) {
  public ByteBuffer bytes() {
    if (memory == null) throw new IllegalStateException(name + " is not in memory");
    return memory;
  }
}
