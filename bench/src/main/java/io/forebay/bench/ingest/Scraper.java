// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.transfer.Cost;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads metrics while something else is measured: once in each second of all that is measured. */
final class Scraper implements AutoCloseable {
  /** What is measured. */
  interface Work {
    Cost run() throws IOException, InterruptedException;
  }

  private static final int OK = 200;
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final AtomicInteger scrapes = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();

  /** Until the next scrape; of the thread that scrapes, which there is one of at a time. */
  private long restNanos = PERIOD_NANOS;

  Scraper(int port) {
    this.request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
  }

  /** How often it has read all metrics so far. */
  int scrapes() {
    return scrapes.get();
  }

  /** Runs the work beside scrapes. */
  Cost during(Work work) throws IOException, InterruptedException {
    Thread thread = Thread.ofPlatform().daemon().name("scraper").start(this::scrape);
    Cost cost;
    try {
      cost = work.run();
    } finally {
      thread.interrupt();
      thread.join();
    }
    if (failures.get() > 0) throw new IOException("the metrics could not be read");
    return cost;
  }

  private void scrape() {
    long startNanos = System.nanoTime();
    try {
      while (true) {
        TimeUnit.NANOSECONDS.sleep(restNanos);
        int status = http.send(request, HttpResponse.BodyHandlers.ofByteArray()).statusCode();
        if (status != OK) failures.incrementAndGet();
        scrapes.incrementAndGet();
        restNanos = PERIOD_NANOS;
        startNanos = System.nanoTime();
      }
    } catch (InterruptedException over) {
      restNanos = Math.max(0, restNanos - (System.nanoTime() - startNanos));
    } catch (IOException e) {
      failures.incrementAndGet();
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
