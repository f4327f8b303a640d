// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.server.machine.FailStop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with a loop, in which something fails: {@code loop}, {@code memory} or {@code thread}.
 */
public final class FailingProcess {
  private FailingProcess() {}

  public static void main(String[] arguments)
      throws IOException, StartFailed, InterruptedException {
    String what = arguments[0];
    FailStop failStop = FailStop.halting();
    failStop.watchThreads();
    // As those of a server would, which close what is broken.
    Runtime.getRuntime().addShutdownHook(new Thread(FailingProcess::hang));
    Ending ending = new Ending(failStop);
    LoopThread<Core> loop =
        LoopThread.start(
            "the test's loop", null, (network, timers) -> new Core(what.equals("loop")), ending);
    loop.opened();
    if (what.equals("memory")) Thread.ofPlatform().name("hungry").start(FailingProcess::eat);
    if (what.equals("thread")) Thread.ofPlatform().name("helper").start(FailingProcess::fail);
    ending.await();
    System.exit(1);
  }

  /** As a part would that takes any error for the failure of one request. */
  private static void eat() {
    List<byte[]> eaten = new ArrayList<>();
    while (true) {
      try {
        eaten.add(new byte[1024 * 1024]);
      } catch (OutOfMemoryError ignored) {
        System.err.println(eaten.size() + " MiB are all");
      }
    }
  }

  private static void hang() {
    while (true) {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        System.err.println("it still hangs");
      }
    }
  }

  private static void fail() {
    throw new OutOfMemoryError("no more direct memory");
  }

  /** Cannot be closed once it has failed. */
  private static final class Core implements LoopThread.Core {
    private final boolean fails;

    Core(boolean fails) {
      this.fails = fails;
    }

    @Override
    public boolean poll() {
      if (fails) throw new LinkageError("an error in the loop");
      return false;
    }

    @Override
    public void close() {
      hang();
    }
  }
}
