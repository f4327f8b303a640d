// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves host names on a thread of its own, since that may take seconds and the loop must not
 * wait. The thread lives only while there are names to resolve.
 */
final class HostNames implements AutoCloseable {
  private static final int WAITING_MAX = 1024;
  private static final long IDLE_SECONDS = 5;

  /** Numbers need no looking up. */
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|.*:.*");

  private final ThreadPoolExecutor thread;
  private final Consumer<Runnable> loop;

  /**
   * Starts no thread yet.
   *
   * @param loop runs an action on the loop, from any thread
   */
  HostNames(Consumer<Runnable> loop) {
    this.loop = loop;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread worker = new Thread(task, "forebay-host-names");
              worker.setDaemon(true);
              return worker;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  /** Tells the address, or null if there is none; at once if the host is given by number. */
  void find(String host, Consumer<@Nullable InetAddress> found) {
    if (NUMERIC.matcher(host).matches()) {
      found.accept(lookUp(host));
      return;
    }
    try {
      thread.execute(
          () -> {
            InetAddress address = lookUp(host);
            loop.accept(() -> found.accept(address));
          });
    } catch (RejectedExecutionException e) {
      loop.accept(() -> found.accept(null));
    }
  }

  private static @Nullable InetAddress lookUp(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
