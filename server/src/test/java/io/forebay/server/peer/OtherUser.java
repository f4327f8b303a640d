// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs something on a thread whose sockets belong to another user, as the kernel sees it; so do
 * those of threads that it starts. The thread keeps root's access to files, so that classes can be
 * loaded. Needs root.
 */
public final class OtherUser {
  private static final int PR_SET_SECUREBITS = 28;
  private static final long SECBIT_NO_SETUID_FIXUP = 1 << 2;
  private static final long SECONDS_MAX = 120;

  private OtherUser() {}

  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && Path.of("/proc/self").toFile().isDirectory();
  }

  public static <T> T call(int user, Callable<T> action) throws Exception {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              become(user);
              return action.call();
            });
    Thread thread = Thread.ofPlatform().daemon().start(task);
    try {
      return task.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      throw e;
    } catch (TimeoutException e) {
      thread.interrupt();
      throw e;
    }
  }

  @SuppressWarnings("restricted") // The tests run with native access.
  private static void become(int user) {
    try {
      Linker linker = Linker.nativeLinker();
      MethodHandle prctl =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("prctl"),
              FunctionDescriptor.of(
                  JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
      MethodHandle setfsuid =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("setfsuid"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT));
      int kept = (int) prctl.invokeExact(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0L, 0L, 0L);
      int before = (int) setfsuid.invokeExact(user);
      int now = (int) setfsuid.invokeExact(-1);
      if (kept != 0 || now != user) {
        throw new IllegalStateException("user " + before + " stays " + now);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
