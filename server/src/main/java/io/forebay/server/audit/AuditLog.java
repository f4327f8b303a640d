// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import io.forebay.base.Json;
import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.audit.AuditEvents;
import io.forebay.wire.Limit;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes audit events, one line of JSON each. Loops hand them over and never wait: if the writer
 * cannot keep up, lines are dropped, and a line with their number takes their place. Any thread.
 */
public final class AuditLog implements AuditEvents, AutoCloseable {
  /** Events that wait to be written. */
  static final int QUEUE_MAX = Math.toIntExact(Limit.AUDIT_LINES.value());

  /** Texts come from requests, which may be long. */
  private static final int CHARS_MAX = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final long LOOK_MILLIS = 200;
  private static final long CLOSE_MILLIS_MAX = 3000;
  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private record Entry(Instant time, AuditEvent event) {}

  private final String component;
  private final RotatedFile file;
  private final InstantSource clock;
  private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread;
  private volatile boolean closing;
  private @Nullable Long warnedNanos;

  private AuditLog(String component, AuditFiles files, InstantSource clock) {
    this.component = component;
    this.file = new RotatedFile(files);
    this.clock = clock;
    this.thread = Thread.ofPlatform().daemon().name("audit of " + component).unstarted(this::run);
  }

  /**
   * Starts to write.
   *
   * @param component the server or manager, as its lines name it
   */
  public static AuditLog start(String component, AuditFiles files, InstantSource clock) {
    AuditLog log = unstarted(component, files, clock);
    log.thread.start();
    return log;
  }

  /** One that queues, and writes nothing before {@link #resume}; for tests. */
  static AuditLog unstarted(String component, AuditFiles files, InstantSource clock) {
    return new AuditLog(component, files, clock);
  }

  void resume() {
    thread.start();
  }

  @Override
  public void audited(AuditEvent event) {
    if (queue.offer(new Entry(clock.instant(), event))) return;
    dropped.incrementAndGet();
    lost.incrementAndGet();
  }

  @Override
  public long lost() {
    return lost.get();
  }

  private void run() {
    try (file) {
      while (true) {
        Entry next = queue.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) write(line(next), 1);
        long lost = queue.isEmpty() ? dropped.getAndSet(0) : 0;
        if (lost > 0) write(lostLine(lost), lost);
        // Not "and nothing was lost": a file that cannot be written must not keep the thread.
        if (closing && next == null) return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("the audit log could not be closed: {}", e.getMessage());
    }
  }

  /** Counts the events of a line that cannot be written as dropped. */
  private void write(String line, long events) {
    try {
      file.append(line);
    } catch (IOException e) {
      dropped.addAndGet(events);
      long now = System.nanoTime();
      if (warnedNanos == null || now - warnedNanos > WARN_NANOS) {
        LOG.warn("the audit log cannot be written: {}", e.toString());
        warnedNanos = now;
      }
    }
  }

  private String line(Entry entry) {
    AuditEvent event = entry.event;
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("time", entry.time.toString());
    fields.put("component", component);
    fields.put("principal", bounded(event.principal()));
    fields.put("user", event.user() == null ? null : Integer.toUnsignedLong(event.user()));
    fields.put("peer", bounded(event.peer()));
    fields.put("action", event.action());
    fields.put("instance", bounded(event.subject().instance()));
    if (!event.subject().detail().isEmpty()) {
      fields.put("detail", bounded(event.subject().detail()));
    }
    String refusal = event.refusal();
    fields.put("outcome", refusal == null ? "ok" : "refused");
    if (refusal != null) fields.put("sentence", bounded(refusal));
    return Json.write(fields);
  }

  private String lostLine(long lost) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", clock.instant().toString());
    fields.put("component", component);
    fields.put("dropped", lost);
    return Json.write(fields);
  }

  private static String bounded(String text) {
    return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "…";
  }

  /** Writes what waits, and ends. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join(CLOSE_MILLIS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
