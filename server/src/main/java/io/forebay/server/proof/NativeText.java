// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/** Addresses of bytes that C functions give, mostly texts that end with a zero byte. */
final class NativeText {
  static final AddressLayout ADDRESS = layout();

  private NativeText() {}

  @SuppressWarnings("restricted") // Only for addresses of C functions that say how long they are.
  private static AddressLayout layout() {
    return ValueLayout.ADDRESS.withTargetLayout(
        MemoryLayout.sequenceLayout(Long.MAX_VALUE, ValueLayout.JAVA_BYTE));
  }
}
