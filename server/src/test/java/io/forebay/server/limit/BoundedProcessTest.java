// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.limit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.server.ManagerProcess;
import io.forebay.server.ServerConfig;
import io.forebay.server.ServerProcess;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes keep the bounds of their settings, each loop for itself. */
@Timeout(60)
class BoundedProcessTest {
  private static final int OF_A_USER = 3;
  private static final String LISTEN = "127.0.0.1:0";

  @TempDir Path folder;

  @Test
  void managersAndServersTakeSoManyConnectionsOfAUser() throws Exception {
    String bound = Integer.toString(OF_A_USER);
    Map<String, String> settings =
        Map.of(
            "dir", dir("manager"), "listen", LISTEN, "expect", "2", "connections-per-user", bound);
    try (ManagerProcess manager =
            ManagerProcess.start(
                ManagerProcess.Config.from(Settings.read(Keys.MANAGER, null, settings)));
        ServerProcess server =
            ServerProcess.start(ServerConfig.from(serverSettings(manager.address(), bound)))) {
      fill(manager.address());
      fill((Address.Inet) server.addresses().getFirst());
    }
  }

  private String dir(String name) {
    return folder.resolve(name).toString();
  }

  private Settings serverSettings(Address manager, String bound) throws Exception {
    return Settings.read(
        Keys.SERVER,
        null,
        Map.of(
            "dir",
            dir("server"),
            "listen",
            LISTEN,
            "managers",
            manager.toString(),
            "memory",
            "8MiB",
            "ssd",
            "8MiB",
            "segment",
            "1MiB",
            "memory-root",
            folder.toString(),
            "connections-per-user",
            bound));
  }

  /** A manager that starts takes no connection at first. */
  private static StrangerSocket dial(Address.Inet at) throws IOException {
    while (true) {
      try {
        return new StrangerSocket(at);
      } catch (StrangerSocket.NotWelcome e) {
        if (!e.getMessage().contains("is starting")) throw e;
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static void fill(Address.Inet at) throws IOException {
    List<StrangerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < OF_A_USER; i++) sockets.add(dial(at));
      assertThatThrownBy(() -> dial(at))
          .isInstanceOf(StrangerSocket.NotWelcome.class)
          .hasMessageContaining(OF_A_USER + " client connections of user ")
          .hasMessageContaining("its limit; try again later");
    } finally {
      for (StrangerSocket each : sockets) each.close();
    }
  }
}
