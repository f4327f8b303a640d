// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the calls of one handle of a client, or nothing. Any thread. */
public final class FileCalls {
  /** Counts nothing. */
  public static final FileCalls NONE = new FileCalls(null, 0, 0);

  private final @Nullable ClientProfile profile;
  private final long file;
  private final int handle;

  /** Where the next append counts as, whose place only the servers know. */
  private final AtomicLong appended = new AtomicLong();

  FileCalls(@Nullable ClientProfile profile, long file, int handle) {
    this.profile = profile;
    this.file = file;
    this.handle = handle;
  }

  /** The time at which a call begins. */
  public long now() {
    return profile == null ? 0 : profile.now();
  }

  /** A call without a place has ended. */
  public void called(Call call, long start) {
    if (profile != null) profile.called(call, file, start);
  }

  /** A read or write has ended. */
  public void accessed(Call call, long offset, long lengthBytes, long start) {
    if (profile != null) profile.accessed(call, file, handle, offset, lengthBytes, start);
  }

  /** A write at the end of the file has ended. */
  public void appended(long lengthBytes, long start) {
    if (profile != null) {
      accessed(Call.WRITE, appended.getAndAdd(lengthBytes), lengthBytes, start);
    }
  }
}
