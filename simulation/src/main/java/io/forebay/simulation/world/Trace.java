// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.ring.RingMap;
import io.forebay.wire.memory.MemoryTrace;
import io.forebay.wire.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All events as a hash, and the last ones as text. Two runs of a seed are equal. */
public final class Trace implements MemoryTrace {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;
  private static final int LINES_MAX = 2000;

  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private @Nullable Consumer<String> follower;
  private final List<WireTap> taps = new ArrayList<>();
  private long hash = OFFSET_BASIS;
  private long events;

  @Override
  public void happened(long nanos, Event event, String from, String to, String what, long request) {
    if (event == Event.KILLED) taps.forEach(tap -> tap.killed(from));
    mix(event.name());
    mix(from);
    mix(to);
    mix(what);
    mix(nanos);
    mix(request);
    keep(
        nanos, event + " " + from + " > " + to + " " + what + (request == 0 ? "" : " #" + request));
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    taps.forEach(tap -> tap.sent(from, to, request, message));
  }

  @Override
  public void handed(String from, String to, long request, Message message) {
    taps.forEach(tap -> tap.handed(from, to, request, message));
  }

  /** Adds a listener for all messages from now on. */
  public void tap(WireTap tap) {
    taps.add(tap);
  }

  /** The manager is about to go on from that map. */
  void recovered(long nanos, String host, RingMap from) {
    said(nanos, host, "is recovered from the map of epoch " + from.epoch());
    taps.forEach(tap -> tap.recovered(from));
  }

  /** A node logged something. */
  public void said(long nanos, String host, String sentence) {
    mix(host);
    mix(sentence);
    mix(nanos);
    keep(nanos, host + ": " + sentence);
  }

  /** Shows every line as it is added. */
  public void follow(Consumer<String> lines) {
    follower = lines;
  }

  private void keep(long nanos, String line) {
    events++;
    String timed = "%,d us  %s".formatted(nanos / 1000, line);
    if (lines.size() == LINES_MAX) lines.removeFirst();
    lines.addLast(timed);
    if (follower != null) follower.accept(timed);
  }

  private void mix(String text) {
    for (int i = 0; i < text.length(); i++) hash = (hash ^ text.charAt(i)) * PRIME;
    hash = (hash ^ text.length()) * PRIME;
  }

  private void mix(long value) {
    for (int i = 0; i < Long.BYTES; i++) hash = (hash ^ ((value >>> (8 * i)) & 0xff)) * PRIME;
  }

  public long hash() {
    return hash;
  }

  public long events() {
    return events;
  }

  /** The last lines, oldest first. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
