// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.profile.count.ClientProfile;
import io.forebay.client.profile.count.FileCalls;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The open handles of a client, so that their gathered writes can be sent. Any thread. */
final class OpenHandles {
  private final Set<ForebayFile> all = ConcurrentHashMap.newKeySet();
  private final AtomicInteger gathering = new AtomicInteger();
  private final @Nullable ClientProfile profile;

  OpenHandles(@Nullable ClientProfile profile) {
    this.profile = profile;
  }

  /** Counts the calls of a new handle, if the client counts calls. */
  FileCalls calls(long number, String path) {
    return profile == null ? FileCalls.NONE : profile.handle(number, path);
  }

  /** Keeps what was counted. */
  void keepProfile(Consumer<String> warnings) {
    if (profile == null) return;
    try {
      profile.end();
    } catch (IOException e) {
      warnings.accept("the profile of this client cannot be kept: " + e);
    }
  }

  /**
   * Closes all files at once. If servers do not answer, this takes no longer than closing one file.
   */
  @Nullable IOException closeAll() {
    Map<ForebayFile, CompletableFuture<Void>> closing = new LinkedHashMap<>();
    for (ForebayFile file : all) closing.put(file, file.closeAsync());
    IOException failure = null;
    for (Map.Entry<ForebayFile, CompletableFuture<Void>> each : closing.entrySet()) {
      try {
        each.getKey().await(each.getValue());
      } catch (IOException e) {
        if (failure == null) failure = e;
        else failure.addSuppressed(e);
      }
    }
    return failure;
  }

  void add(ForebayFile file) {
    all.add(file);
  }

  void remove(ForebayFile file) {
    all.remove(file);
  }

  /** The number of handles with gathered writes; usually none. */
  AtomicInteger gathering() {
    return gathering;
  }

  /** Sends the gathered writes of all handles, so that the next request sees them. */
  void flushAll() {
    if (gathering.get() == 0) return;
    for (ForebayFile file : all) file.flushTail();
  }

  /** The same for the handles of one file. */
  void flush(long number) {
    if (gathering.get() == 0) return;
    for (ForebayFile file : all) {
      if (file.number() == number) file.flushTail();
    }
  }
}
