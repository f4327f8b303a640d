// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import io.forebay.backing.slow.SlowDevice;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.fuse.operation.RequestBytes;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file system in which each request takes the time of the slow profile, for all operations. Any
 * thread.
 */
final class SlowOperations implements InvocationHandler {
  /** The operations that a client of a remote file system does locally. */
  private static final Set<String> LOCAL =
      Set.of(
          "admit", "errnoOf", "forget", "attributeSeconds", "flush", "release", "releaseDirectory");

  private final FuseOperations operations;
  private final SlowDevice device;

  private SlowOperations(FuseOperations operations, SlowDevice device) {
    this.operations = operations;
    this.device = device;
  }

  static FuseOperations of(FuseOperations operations, SlowDevice device) {
    return (FuseOperations)
        Proxy.newProxyInstance(
            FuseOperations.class.getClassLoader(),
            new Class<?>[] {FuseOperations.class},
            new SlowOperations(operations, device));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws IOException {
    boolean local = LOCAL.contains(method.getName());
    long endNanos = local ? 0 : device.begin(bytes(arguments));
    try {
      return method.invoke(operations, arguments);
    } catch (InvocationTargetException e) {
      throw failure(e.getTargetException());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } finally {
      if (!local) device.awaitEnd(endNanos);
    }
  }

  private static IOException failure(Throwable thrown) {
    return switch (thrown) {
      case IOException expected -> expected;
      case RuntimeException broken -> throw broken;
      default -> throw new IllegalStateException(thrown);
    };
  }

  private static long bytes(@Nullable Object @Nullable [] arguments) {
    if (arguments == null) return 0;
    for (Object each : arguments) {
      if (each instanceof ByteBuffer target) return target.remaining();
      if (each instanceof RequestBytes written) return written.bytes().remaining();
    }
    return 0;
  }
}
