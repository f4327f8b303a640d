// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.server.ManagerProcess;
import io.forebay.server.ServerConfig;
import io.forebay.server.ServerProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.machine.FailStop;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A manager or a server in a process of its own: {@code manager|server --key value...}, with the
 * keys of the commands of those names. Prints its address to stdout, and ends when its stdin ends:
 * when its parent process dies, it ends too.
 */
final class RingMember {
  static final String MANAGER = "manager";
  static final String SERVER = "server";

  private static final FailStop FAIL_STOP = FailStop.halting();

  private RingMember() {}

  public static void main(String[] arguments)
      throws IOException, StartFailed, BadSetting, InterruptedException {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < arguments.length; i += 2) {
      options.put(arguments[i].substring("--".length()), arguments[i + 1]);
    }
    Thread.ofPlatform().daemon().name("stdin").start(RingMember::endWithStdin);
    FAIL_STOP.watchThreads();
    String failure = arguments[0].equals(MANAGER) ? runManager(options) : runServer(options);
    if (failure != null) System.err.println(failure);
    System.exit(failure == null ? 0 : 1);
  }

  private static @Nullable String runManager(Map<String, String> options)
      throws IOException, StartFailed, BadSetting, InterruptedException {
    Settings settings = Settings.read(Keys.MANAGER, null, options);
    ManagerProcess manager = ManagerProcess.start(ManagerProcess.Config.from(settings), FAIL_STOP);
    Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
    System.out.println(manager.address());
    return manager.await();
  }

  private static @Nullable String runServer(Map<String, String> options)
      throws IOException, StartFailed, BadSetting, InterruptedException {
    Settings settings = Settings.read(Keys.SERVER, null, options);
    ServerProcess server = ServerProcess.start(ServerConfig.from(settings), FAIL_STOP);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    System.out.println(server.addresses().getFirst());
    return server.await();
  }

  private static void endWithStdin() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      System.err.println("stdin cannot be read: " + e.getMessage());
    }
    System.exit(0);
  }
}
