// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.metrics.Samples;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.authority.ServerTokens;
import io.forebay.server.consensus.GroupOptions;
import io.forebay.server.consensus.ManagerGroup;
import io.forebay.wire.Address;
import io.forebay.wire.authority.JoinToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The managers of an embedded cluster: one, or several that agree. The first one is in the folder
 * {@code manager} of the cluster, the others in {@code manager-2} and so on. One thread.
 */
public final class EmbeddedManagers {
  private final Path directory;
  private final Address.Inet listen;
  private final Access access;
  private final ManagerConfig config;
  private final List<EmbeddedManager> managers = new ArrayList<>();
  private final int count;

  /**
   * None of which has begun.
   *
   * @param directory the cluster's
   * @param listen the address of the first one; the others take free ports at that host
   * @param count how many; 0 for as many as the directory has, or one
   */
  EmbeddedManagers(
      Path directory, Address.Inet listen, Access access, ManagerConfig config, int count) {
    this.directory = directory;
    this.listen = listen;
    this.access = access;
    this.config = config;
    this.count = count;
  }

  /** How many the cluster's directory has; 0 for a new cluster. */
  static int present(Path directory) {
    int found = 0;
    while (Files.exists(directoryOf(directory, found))) found++;
    return found;
  }

  private static Path directoryOf(Path directory, int manager) {
    return directory.resolve(name(manager));
  }

  private static String name(int manager) {
    return manager == 0 ? "manager" : "manager-" + (manager + 1);
  }

  /** Starts all; those that are new join the first one. */
  void start() throws StartFailed, IOException {
    int present = present(directory);
    int wanted = count == 0 ? Math.max(1, present) : count;
    if (wanted < present) {
      throw new StartFailed(
          "'%s' has %d managers, and %d would be too few; start all of them, and remove some with 'forebay managers remove NAME'"
              .formatted(directory, present, wanted));
    }
    boolean several = wanted > 1 || ManagerGroup.exists(directoryOf(directory, 0));
    for (int i = 0; i < wanted; i++) {
      EmbeddedManager manager = make(i, several);
      managers.add(manager);
      manager.start();
    }
  }

  private EmbeddedManager make(int manager, boolean several) throws IOException {
    Path place = directoryOf(directory, manager);
    boolean enrols = manager > 0 && !Files.exists(place) && hasOwnCa();
    Address.Inet any = new Address.Inet(listen.host(), 0);
    return new EmbeddedManager(
        place,
        manager == 0 ? listen : any,
        enrols ? access.withToken(managerToken()) : access,
        config,
        () -> several ? new GroupOptions(name(manager), any, others(manager)) : null);
  }

  /** The managers that a manager can join if it has lost its directory. */
  private List<Address> others(int manager) {
    List<Address> others = new ArrayList<>(addresses());
    if (manager < others.size()) others.remove(manager);
    return others;
  }

  private JoinToken managerToken() throws IOException {
    EmbeddedManager first = managers.getFirst();
    try (ServerTokens tokens = ServerTokens.of(List.of(first.address()), first.directory())) {
      return tokens.createForManager();
    }
  }

  /** Whether the managers have a CA of their own. */
  boolean hasOwnCa() {
    return ManagerAuthority.exists(directoryOf(directory, 0));
  }

  /** One of them, which can be stopped and started again; they count from 0. */
  public EmbeddedManager get(int manager) {
    return managers.get(manager);
  }

  public int count() {
    return managers.size();
  }

  /** Their addresses. */
  public List<Address> addresses() {
    return managers.stream().map(each -> (Address) each.address()).toList();
  }

  /** Adds what they tell monitoring systems. */
  void collect(Samples to) {
    for (EmbeddedManager each : managers) each.collect(to);
  }

  /** Their addresses as in a URI. */
  String inUri() {
    return addresses().stream().map(Address::toString).collect(Collectors.joining(","));
  }

  /** Why no majority is left; null while the others can go on. */
  @Nullable String failure() {
    List<@Nullable String> failures = new ArrayList<>();
    for (EmbeddedManager each : managers) {
      if (each.failure() != null) failures.add(each.failure());
    }
    return 2 * failures.size() < managers.size() || failures.isEmpty() ? null : failures.getFirst();
  }

  void stop() {
    managers.forEach(EmbeddedManager::stop);
  }
}
