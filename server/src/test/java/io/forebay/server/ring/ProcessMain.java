// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.server.LocalProcess;
import io.forebay.server.ManagerProcess;
import io.forebay.server.ServerConfig;
import io.forebay.server.ServerProcess;
import io.forebay.server.StartFailed;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A manager or a server in a process of its own: {@code manager|server --key value...}. Prints
 * where it listens, and ends when it is told to or when whoever started it is gone.
 */
final class ProcessMain {
  private ProcessMain() {}

  public static void main(String[] arguments) throws IOException, StartFailed, BadSetting {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < arguments.length; i += 2) {
      options.put(arguments[i].substring("--".length()), arguments[i + 1]);
    }
    LocalProcess process;
    if (arguments[0].equals("manager")) {
      Settings settings = Settings.read(Keys.MANAGER, null, options);
      ManagerProcess manager = ManagerProcess.start(ManagerProcess.Config.from(settings));
      System.out.println(manager.address());
      process = manager;
    } else {
      Settings settings = Settings.read(Keys.SERVER, null, options);
      ServerProcess server = ServerProcess.start(ServerConfig.from(settings));
      System.out.println(server.addresses().get(0));
      process = server;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::close));
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
