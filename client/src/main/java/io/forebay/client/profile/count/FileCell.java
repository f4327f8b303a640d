// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what a program does with one file. One owner, that uses it for other files later. */
final class FileCell {
  /**
   * The processes of a file whose accesses are followed; the one that is idle longest gives way.
   */
  static final int STREAMS_MAX = 32;

  /** Processes of a file that are told apart. */
  static final int PROCESSES_MAX = 256;

  /** Streams by process. */
  private static final class Streams extends LinkedHashMap<Integer, AccessStream> {
    private static final long serialVersionUID = 1;
    private static final float LOAD = 0.75f;

    Streams() {
      super(STREAMS_MAX, LOAD, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Integer, AccessStream> eldest) {
      return size() > STREAMS_MAX;
    }
  }

  private final Accesses reads;
  private final Accesses writes;
  private final Streams readStreams = new Streams();
  private final Streams writeStreams = new Streams();
  private final FewNumbers readers = new FewNumbers(PROCESSES_MAX);
  private final FewNumbers writers = new FewNumbers(PROCESSES_MAX);
  private final Calls calls = new Calls();
  private long number;
  private String path = "";
  private long missedBytes;
  private long bytes;

  FileCell(long stripeBytes) {
    reads = new Accesses(stripeBytes);
    writes = new Accesses(stripeBytes);
  }

  /** Begins with a file. */
  void begin(long file, String itsPath, long bytesBeforeMax) {
    number = file;
    path = itsPath;
    missedBytes = bytesBeforeMax;
    bytes = bytesBeforeMax;
    reads.clear();
    writes.clear();
    readStreams.clear();
    writeStreams.clear();
    readers.clear();
    writers.clear();
    calls.clear();
  }

  long number() {
    return number;
  }

  /** Those that were counted, and those that may have been missed. */
  long bytes() {
    return bytes;
  }

  AccessStream stream(boolean write, int stream) {
    Streams streams = write ? writeStreams : readStreams;
    AccessStream found = streams.get(stream);
    if (found == null) {
      found = new AccessStream();
      streams.put(stream, found);
    }
    return found;
  }

  Map<Integer, AccessStream> writeStreams() {
    return writeStreams;
  }

  void access(Characteriser.Place place, Order order, long distance) {
    bytes += place.lengthBytes;
    (place.write ? writes : reads).add(place.offset, place.lengthBytes, order, distance);
    (place.write ? writers : readers).add(place.process);
  }

  /** The last two calls were one. */
  void joined(Call call) {
    calls.joined(call);
  }

  void call(int call, long nanos) {
    calls.add(call, nanos);
  }

  FileProfile counted() {
    return new FileProfile(
        number,
        path,
        missedBytes,
        reads.counted(),
        writes.counted(),
        calls.counted(),
        readers.list(),
        writers.list());
  }
}
