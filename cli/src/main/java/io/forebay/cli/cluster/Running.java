package io.forebay.cli.cluster;

import io.forebay.cli.terminal.CommandFailed;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a command running until its process is told to end, by Ctrl-C or a signal, or something
 * inside has failed. Then everything is closed, before the process ends.
 */
final class Running {
  private static final long LOOK_MILLIS = 200;

  private Running() {}

  /** Waits for the end; an interrupt of this thread is one too. */
  static void until(AutoCloseable process, Supplier<@Nullable String> failure) {
    Thread hook = new Thread(() -> close(process), "forebay-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      String reason = failure.get();
      while (reason == null) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        reason = failure.get();
      }
      throw new CommandFailed(reason + "; its log tells more");
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } finally {
      close(process);
      remove(hook);
    }
  }

  @SuppressWarnings("ThrowSpecificExceptions")
  private static void close(AutoCloseable process) {
    try {
      process.close();
    } catch (Exception e) {
      throw new IllegalStateException("could not be closed", e);
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook is what closed it: there is nothing left to do.
      return;
    }
  }
}
