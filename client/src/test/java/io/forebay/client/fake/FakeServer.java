// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.base.MonotonicClock;
import io.forebay.ring.Instance;
import io.forebay.wire.Address;
import io.forebay.wire.tcp.TcpLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** A fake ring on real sockets of this machine, in a thread of its own. */
public final class FakeServer implements AutoCloseable {
  private final TcpLoop loop;
  private final FakeRing ring = new FakeRing();
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> handed = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  public FakeServer(int seats, int copies, long capacityBytes) throws IOException {
    loop = new TcpLoop(MonotonicClock.system());
    ring.listen(seats, host -> loop, "127.0.0.1");
    thread = begin(copies, capacityBytes);
  }

  private FakeServer(String host, Path folder) throws IOException {
    loop = new TcpLoop(MonotonicClock.system());
    ring.listen(0, name -> loop, "127.0.0.1");
    ring.listenAt(loop, host, new Address.Unix(folder.resolve("seat").toString()));
    thread = begin(1, 0);
  }

  /** One seat on a host, which listens at a Unix socket in the folder. */
  public static FakeServer withUnixSockets(String host, Path folder) throws IOException {
    return new FakeServer(host, folder);
  }

  private Thread begin(int copies, long capacityBytes) {
    ring.addInstance(
        "scratch", copies, capacityBytes, Instance.Access.SHARED, SimulatedWorld.STRIPES);
    Thread begun = new Thread(this::run, "fake-ring");
    begun.setDaemon(true);
    begun.start();
    return begun;
  }

  public String uri() {
    return ring.uri("scratch");
  }

  /** Asks or changes something on the ring's own thread. */
  public <T> T on(Function<FakeRing, T> what) {
    CompletableFuture<T> result = new CompletableFuture<>();
    handed.add(() -> result.complete(what.apply(ring)));
    loop.wakeUp();
    return result.join();
  }

  private void run() {
    while (!stopped) {
      Runnable action = handed.poll();
      if (action != null) action.run();
      else loop.poll(1_000_000_000L);
    }
    loop.close();
  }

  @Override
  public void close() {
    stopped = true;
    loop.wakeUp();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
