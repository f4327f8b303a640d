// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.file;

import io.forebay.wire.message.Names;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which attributes of a node shall change, and to what; all others stay. One owner. */
public final class AttributeChange {
  private boolean follow = true;
  private int mode = (int) Names.UNCHANGED;
  private int user = (int) Names.UNCHANGED;
  private int group = (int) Names.UNCHANGED;
  private long sizeBytes = Names.UNCHANGED;
  private long accessNanos = Names.UNCHANGED;
  private long modifyNanos = Names.UNCHANGED;

  /** Changes a symbolic link itself and not what it points to. */
  public AttributeChange noFollow() {
    follow = false;
    return this;
  }

  public AttributeChange mode(int bits) {
    mode = bits;
    return this;
  }

  /** Either may be -1 to stay. */
  public AttributeChange owner(int newUser, int newGroup) {
    user = newUser;
    group = newGroup;
    return this;
  }

  public AttributeChange sizeBytes(long bytes) {
    sizeBytes = bytes;
    return this;
  }

  /** Null leaves a time as it is. */
  public AttributeChange times(@Nullable Instant access, @Nullable Instant modify) {
    if (access != null) accessNanos = nanos(access);
    if (modify != null) modifyNanos = nanos(modify);
    return this;
  }

  /** The last modification was now. */
  public AttributeChange touch() {
    modifyNanos = Names.NOW;
    return this;
  }

  /** The last access was now. */
  public AttributeChange touchAccess() {
    accessNanos = Names.NOW;
    return this;
  }

  public boolean changesSize() {
    return sizeBytes != Names.UNCHANGED;
  }

  /**
   * Whether writes to the file must be published first: publishing later would change the attribute
   * again.
   */
  public boolean needsContent() {
    return changesSize() || accessNanos != Names.UNCHANGED || modifyNanos != Names.UNCHANGED;
  }

  /** A time as messages have it. */
  public static long nanos(Instant instant) {
    long nanos = FileStat.nanos(instant);
    // Two instants shortly before 1970 have a meaning of their own in messages.
    return nanos == Names.UNCHANGED || nanos == Names.NOW ? 0 : nanos;
  }

  public Names.SetAttributes request(long directory, String path) {
    return new Names.SetAttributes(
        directory, path, follow, mode, user, group, sizeBytes, accessNanos, modifyNanos);
  }
}
