// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.failure.ValueReplacedException;
import java.io.FilterInputStream;
import java.io.InputStream;

/**
 * One value, from its first byte to its last. All bytes come from the value that existed when the
 * stream was opened. If that value is replaced or removed before its end is read, further reads may
 * fail with {@link ValueReplacedException}, because old bytes are not kept. One thread.
 */
public final class ValueStream extends FilterInputStream {
  private final long sizeBytes;

  ValueStream(InputStream bytes, long sizeBytes) {
    super(bytes);
    this.sizeBytes = sizeBytes;
  }

  /** The size of the whole value. */
  public long sizeBytes() {
    return sizeBytes;
  }
}
