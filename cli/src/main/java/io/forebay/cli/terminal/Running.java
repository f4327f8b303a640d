// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import io.forebay.server.LocalProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.settings.BadSetting;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts a component and keeps it running until Ctrl-C or a signal stops this process, or until it
 * fails. In all cases it is closed before the process ends, even if that happens during its start.
 */
public final class Running {
  /** Starts it. */
  public interface Start<P> {
    P start() throws StartFailed, BadSetting, IOException;
  }

  private static final long LOOK_MILLIS = 200;
  private static final long CLOSE_SECONDS_MAX = 60;

  private final Thread main = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean toldToEnd;

  private Running() {}

  /**
   * Starts a component and waits for its end; an interrupt of this thread ends it too.
   *
   * @param told called when it runs
   */
  public static <P extends LocalProcess> void run(Start<P> start, Consumer<P> told)
      throws IOException {
    OpenFiles.requireForServing();
    new Running().untilTheEnd(start, told);
  }

  private <P extends LocalProcess> void untilTheEnd(Start<P> start, Consumer<P> told)
      throws IOException {
    Thread hook = new Thread(this::end, "forebay-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try (P process = start.start()) {
      told.accept(process);
      await(process);
    } catch (StartFailed e) {
      if (!toldToEnd) throw new CommandFailed(e.sentence(), e);
    } catch (BadSetting e) {
      throw new CommandFailed(e.sentence(), e);
    } catch (InterruptedException asked) {
      main.interrupt();
    } finally {
      ended.countDown();
      if (!toldToEnd) Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private static void await(LocalProcess process) throws InterruptedException {
    while (!process.over()) {
      String reason = process.failure();
      if (reason != null) throw new CommandFailed(reason + "; its log tells more");
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** The process ends when this returns: so it returns only after everything is closed. */
  private void end() {
    toldToEnd = true;
    main.interrupt();
    try {
      if (!ended.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "it does not stop; the process ends without waiting for it");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
