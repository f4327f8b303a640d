// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves host names on another thread, since that may take seconds and the loop must not wait.
 */
final class HostNames {
  /** Numbers need no looking up. */
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|.*:.*");

  private final Executor errands;
  private final Consumer<Runnable> loop;

  /**
   * Resolves names with {@code errands}.
   *
   * @param loop runs an action on the loop, from any thread
   */
  HostNames(Executor errands, Consumer<Runnable> loop) {
    this.errands = errands;
    this.loop = loop;
  }

  /** Tells the address, or null if there is none; at once if the host is given by number. */
  void find(String host, Consumer<@Nullable InetAddress> found) {
    if (NUMERIC.matcher(host).matches()) {
      found.accept(lookUp(host));
      return;
    }
    try {
      errands.execute(
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
}
