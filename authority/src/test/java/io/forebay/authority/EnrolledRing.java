// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.client.enrol.CertificateAdmin;
import io.forebay.client.enrol.Enroller;
import io.forebay.server.ManagerProcess;
import io.forebay.server.ServerConfig;
import io.forebay.server.ServerProcess;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A manager with a CA of its own and servers that enrol with it, on loopback addresses unless the
 * settings say another one.
 */
final class EnrolledRing implements AutoCloseable {
  private static final long PAUSE_NANOS = 20_000_000;

  private final Path directory;
  private final Path manager;
  private final Map<String, String> managerSettings;
  private final List<ServerProcess> servers = new ArrayList<>();
  private ManagerProcess process;
  private Address.Inet address;
  private int clients;

  EnrolledRing(Path directory, int servers, String... settings) throws Exception {
    this(directory, directory.resolve("manager"), servers, settings);
  }

  /** With a manager whose directory is elsewhere. */
  EnrolledRing(Path directory, Path manager) throws Exception {
    this(directory, manager, 1);
  }

  private EnrolledRing(Path directory, Path manager, int servers, String... settings)
      throws Exception {
    this.directory = directory;
    this.manager = manager;
    this.managerSettings =
        new HashMap<>(
            Map.of(
                "dir",
                manager().toString(),
                "own-ca",
                "true",
                "expect",
                "" + servers,
                "wait",
                "60m"));
    for (int i = 0; i < settings.length; i += 2) managerSettings.put(settings[i], settings[i + 1]);
    String host = managerSettings.getOrDefault("listen", "127.0.0.1:0");
    this.address = (Address.Inet) Address.parse(host);
    startManager();
  }

  Path manager() {
    return manager;
  }

  void startManager() throws Exception {
    Map<String, String> settings = new HashMap<>(managerSettings);
    settings.put("listen", address.toString());
    process =
        ManagerProcess.start(
            ManagerProcess.Config.from(Settings.read(Keys.MANAGER, null, settings)));
    address = process.address();
  }

  void stopManager() {
    process.close();
  }

  Address.Inet address() {
    return address;
  }

  CertificateAdmin admin() throws IOException {
    return CertificateAdmin.of(List.of(address), ManagerAuthority.administrator(manager()));
  }

  JoinToken token(Role role, String name, int uses) throws IOException {
    try (CertificateAdmin admin = admin()) {
      return admin.createToken(role, name, Duration.ofMinutes(5), uses).token();
    }
  }

  Path server(String name) {
    return directory.resolve(name);
  }

  /** Starts a server; without a token it has enrolled before. */
  ServerProcess start(String name, JoinToken token) throws Exception {
    return start(name, token, false);
  }

  ServerProcess start(String name, JoinToken token, boolean unixSockets) throws Exception {
    return start(name, token, Map.of("unix-sockets", "" + unixSockets));
  }

  /** The same with settings that replace the usual ones. */
  ServerProcess start(String name, JoinToken token, Map<String, String> own) throws Exception {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "dir",
                server(name).toString(),
                "managers",
                address.toString(),
                "server-name",
                name,
                "memory",
                "24MiB",
                "ssd",
                "24MiB",
                "segment",
                "1MiB",
                "memory-root",
                directory.toString(),
                "unix-sockets",
                "false"));
    settings.put("listen", address.host() + ":0");
    settings.putAll(own);
    if (token != null) settings.put("token", token.text());
    ServerProcess started =
        ServerProcess.start(ServerConfig.from(Settings.read(Keys.SERVER, null, settings)));
    servers.add(started);
    return started;
  }

  IdentityFiles filesOf(String server) {
    return new IdentityFiles(server(server).resolve("tls"));
  }

  /** The files of a client that has enrolled. */
  IdentityFiles client(int user) throws IOException {
    IdentityFiles files = new IdentityFiles(directory.resolve("client-" + ++clients));
    CertificateName name = CertificateName.user(user);
    new Enroller(List.of(address), files).enrol(token(Role.USER, name.name(), 1), name, List.of());
    return files;
  }

  String uri(String instance) {
    return "forebay://" + address + (instance.isEmpty() ? "" : "/" + instance);
  }

  /** Something that becomes true. */
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Waits for it; the time limit is that of the test. */
  static void await(Condition condition) throws Exception {
    while (!condition.holds()) {
      if (Thread.interrupted()) throw new InterruptedException("the time of the test is over");
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void close() {
    for (ServerProcess server : servers) server.close();
    process.close();
  }
}
