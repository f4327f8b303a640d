// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.failure.ValueReplacedException;
import java.io.FilterInputStream;
import java.io.InputStream;

/**
 * One value, from its first byte to its last: all that is read belongs to the value that was there
 * when it was opened. If that is replaced or removed meanwhile, reading on may fail with {@link
 * ValueReplacedException}, for nobody keeps the old bytes. One thread.
 */
public final class ValueStream extends FilterInputStream {
  private final long sizeBytes;

  ValueStream(InputStream bytes, long sizeBytes) {
    super(bytes);
    this.sizeBytes = sizeBytes;
  }

  /** How long the value is, whatever has been read of it. */
  public long sizeBytes() {
    return sizeBytes;
  }
}
