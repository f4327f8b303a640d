// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open handles of a client, so that their gathered writes can be sent. Any thread. */
final class OpenHandles {
  private final Set<ForebayFile> all = ConcurrentHashMap.newKeySet();
  private final AtomicInteger gathering = new AtomicInteger();

  void add(ForebayFile file) {
    all.add(file);
  }

  void remove(ForebayFile file) {
    all.remove(file);
  }

  Iterable<ForebayFile> all() {
    return all;
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
