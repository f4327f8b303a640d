// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Hosts that are network namespaces on this machine, joined by a bridge to which this process
 * belongs too. Needs root and iproute2. What it made goes when it is closed. One thread.
 */
public final class NetworkSpaces implements AutoCloseable {
  private static final long COMMAND_SECONDS_MAX = 20;
  private static final int OWN_NUMBER = 254;

  /** Where iproute2 keeps the names of namespaces. */
  private static final String FOLDER = "/run/netns/";

  private final String prefix;
  private final String network;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  private NetworkSpaces(Random random) {
    // Interfaces have names of at most 15 characters.
    this.prefix = "fb" + Integer.toString(random.nextInt(36 * 36 * 36 * 36), 36);
    this.network = "10.%d.%d.".formatted(128 + random.nextInt(64), random.nextInt(256));
  }

  /**
   * A host.
   *
   * @param command the words in front of a command that runs there
   */
  public record Space(String address, List<String> command) {
    public Space {
      command = List.copyOf(command);
    }
  }

  /** Why there can be none here, with the remedy; empty if there can. */
  public static String missing() throws IOException {
    return areAllowed()
        ? ""
        : "needs network namespaces: run as root with iproute2 installed (dev/optional-packages)";
  }

  private static boolean areAllowed() throws IOException {
    String name = "fb-trial-" + ProcessHandle.current().pid();
    try {
      if (!succeeds(List.of("ip", "netns", "add", name))) return false;
    } catch (IOException absent) {
      return false;
    }
    return succeeds(List.of("ip", "netns", "del", name));
  }

  public static NetworkSpaces make(List<String> hosts) throws IOException {
    NetworkSpaces spaces = new NetworkSpaces(new Random());
    try {
      run("ip link add " + spaces.bridge() + " type bridge");
      run("ip addr add " + spaces.ownAddress() + "/24 dev " + spaces.bridge());
      run("ip link set " + spaces.bridge() + " up");
      for (String host : hosts) spaces.add(host);
      return spaces;
    } catch (IOException e) {
      spaces.close();
      throw e;
    }
  }

  private void add(String host) throws IOException {
    int number = numbers.size() + 1;
    numbers.put(host, number);
    String space = space(host);
    run("ip netns add " + space);
    run("ip link add " + cable(host) + " type veth peer name eth0 netns " + space);
    run("ip link set " + cable(host) + " master " + bridge() + " up");
    run("ip -n " + space + " addr add " + address(host) + "/24 dev eth0");
    run("ip -n " + space + " link set eth0 up");
    run("ip -n " + space + " link set lo up");
  }

  /** The hosts by their names. */
  public Map<String, Space> hosts() {
    Map<String, Space> hosts = new LinkedHashMap<>();
    for (String host : numbers.keySet()) {
      // Not 'ip netns exec': it copies all mounts, and a copy of a mount holds its file system.
      hosts.put(
          host, new Space(address(host), List.of("nsenter", "--net=" + FOLDER + space(host))));
    }
    return hosts;
  }

  /** The address of this process, as the hosts reach it. */
  public String ownAddress() {
    return network + OWN_NUMBER;
  }

  /** Pulls a host's cable. */
  public void unplug(String host) throws IOException {
    run("ip link set " + cable(host) + " down");
  }

  /** Plugs it in again. */
  public void plug(String host) throws IOException {
    run("ip link set " + cable(host) + " up");
  }

  /** Lets one host send nothing to another, which still can send to it. */
  public void silence(String from, String to) throws IOException {
    run("ip -n " + space(from) + " route add blackhole " + address(to) + "/32");
  }

  /** Lets it send again. */
  public void hear(String from, String to) throws IOException {
    run("ip -n " + space(from) + " route del blackhole " + address(to) + "/32");
  }

  private String address(String host) {
    return network + number(host);
  }

  private String bridge() {
    return prefix + "b";
  }

  private String space(String host) {
    return prefix + "n" + number(host);
  }

  private String cable(String host) {
    return prefix + "c" + number(host);
  }

  private int number(String host) {
    Integer number = numbers.get(host);
    if (number == null) throw new IllegalArgumentException("there is no host " + host);
    return number;
  }

  @Override
  public void close() throws IOException {
    List<String> commands = new ArrayList<>();
    for (String host : numbers.keySet()) {
      commands.add("ip link del " + cable(host));
      commands.add("ip netns del " + space(host));
    }
    commands.add("ip link del " + bridge());
    // One that failed to be made cannot be deleted; the others must be.
    for (String command : commands) succeeds(List.of(command.split(" ")));
  }

  private static void run(String command) throws IOException {
    if (!succeeds(List.of(command.split(" ")))) throw new IOException("'" + command + "' failed");
  }

  private static boolean succeeds(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) process.destroyForcibly();
      if (process.waitFor() == 0) return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    System.out.println(String.join(" ", command) + ": " + output);
    return false;
  }
}
