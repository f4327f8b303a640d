// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import io.forebay.backing.location.BackingLocation;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.failure.ForebayException;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.ClusterStart;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.FileTrees;
import io.forebay.server.StartFailed;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A manager and servers on this machine, each a process of its own. One thread uses it; any may
 * close it, which ends all of its processes.
 */
public final class LocalRing implements AutoCloseable {
  /**
   * The host of a process.
   *
   * @param address the address to listen at
   * @param command the prefix of its command line, for example to enter a network namespace
   */
  public record Host(String address, List<String> command) {
    static final Host LOOPBACK = new Host("127.0.0.1", List.of());

    public Host {
      command = List.copyOf(command);
    }

    boolean isLoopback() {
      return equals(LOOPBACK);
    }

    /** The options of a process that others reach over a network. */
    List<String> options() {
      return isLoopback() ? List.of() : List.of("--insecure", "true");
    }
  }

  /** The name of the first manager, or of the only one. */
  public static final String MANAGER = RingMember.MANAGER;

  private static final String WAIT_FOR_SERVERS = "60s";

  /** How long a server that joins may take to get its place, and how often it is looked for. */
  private static final long PLACE_NANOS_MAX = 30_000_000_000L;

  private static final long PLACE_LOOK_NANOS = 50_000_000L;

  /** A manager that lives answers the leader several times a second. */
  private static final long SILENT_NANOS_MAX = 3_000_000_000L;

  /** The end of a log that says why a process has not started: a stack trace. */
  private static final int FAILURE_LINES = 60;

  private final RingShape shape;
  private final Path directory;
  private final Path memory;
  private final Map<String, Host> hosts;
  private final @Nullable RingCertificates certificates;
  private final Map<String, MemberProcess> members = new LinkedHashMap<>();
  private final Set<String> joined = new LinkedHashSet<>();

  /** The addresses of the managers that were started once, by their names. */
  private final Map<String, String> managers = new LinkedHashMap<>();

  private Duration managerStart = Duration.ZERO;

  /** Managers' directories that are gone. */
  private final Set<String> lostIncarnations = new HashSet<>();

  private boolean closed;

  /**
   * Starts nothing yet.
   *
   * @param directory what must last; laid out as {@code forebay up} does
   * @param memory a directory in memory
   */
  public LocalRing(RingShape shape, Path directory, Path memory) {
    this(shape, directory, memory, Map.of());
  }

  /**
   * The same with some of the processes elsewhere than on the loopback.
   *
   * @param hosts by the names of the processes
   */
  public LocalRing(RingShape shape, Path directory, Path memory, Map<String, Host> hosts) {
    this.shape = shape;
    this.directory = directory;
    this.memory = memory;
    this.hosts = Map.copyOf(hosts);
    this.certificates =
        shape.certificates() == null ? null : new RingCertificates(directory, shape.certificates());
  }

  /** Starts everything and waits until it serves. */
  public void start() throws IOException, StartFailed {
    for (int i = 0; i < shape.managers(); i++) startManager(managerName(i));
    List<MemberProcess> servers = new ArrayList<>();
    for (int i = 0; i < shape.servers(); i++) servers.add(startServer(name(i)));
    for (MemberProcess server : servers) server.awaitAddress();
    awaitServing();
    makeInstance();
    awaitServing();
    awaitManagers();
  }

  /** A manager's name; managers count from 0 here. */
  public static String managerName(int manager) {
    return manager == 0 ? RingMember.MANAGER : RingMember.MANAGER + "-" + (manager + 1);
  }

  /** The names of all managers. */
  public List<String> managerNames() {
    return IntStream.range(0, shape.managers()).mapToObj(LocalRing::managerName).toList();
  }

  /** Starts the only manager. */
  public void startManager() throws IOException {
    startManager(RingMember.MANAGER);
  }

  /** Starts a manager, at the address that it had if it is started again. */
  public void startManager(String name) throws IOException {
    String known = managers.get(name);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                RingMember.MANAGER,
                "--dir",
                directory.resolve(name).toString(),
                "--listen",
                known == null ? host(name).address + ":0" : known,
                "--expect",
                Integer.toString(shape.servers()),
                "--wait",
                WAIT_FOR_SERVERS));
    if (shape.managers() > 1) arguments.addAll(groupOptions(name));
    boolean empty = Files.notExists(directory.resolve(name));
    if (certificates != null) arguments.addAll(managerCertificate(name, empty));
    long startNanos = System.nanoTime();
    String address = start(name, arguments).awaitAddress();
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    if (took.compareTo(managerStart) > 0) managerStart = took;
    managers.put(name, address);
    if (certificates != null) certificates.managersAreAt(managers.values());
  }

  private List<String> groupOptions(String name) {
    List<String> options =
        new ArrayList<>(
            List.of("--peer-listen", host(name).address + ":0", "--manager-name", name));
    List<String> others = new ArrayList<>(managers.values());
    others.remove(managers.get(name));
    if (!others.isEmpty()) options.addAll(List.of("--managers", String.join(",", others)));
    return options;
  }

  /** The first manager makes the CA; the others join with tokens. */
  private List<String> managerCertificate(String name, boolean empty) throws IOException {
    List<String> options = new ArrayList<>(Objects.requireNonNull(certificates).managerOptions());
    if (empty && !managers.isEmpty()) options.addAll(certificates.managerTokenOptions(name));
    return options;
  }

  /** A manager that does not run loses all that it had. */
  public void loseManager(String name) throws IOException {
    for (Statuses.ManagerSeen each : managersSeen()) {
      if (each.name().equals(name)) lostIncarnations.add(each.incarnation());
    }
    FileTrees.remove(directory.resolve(name));
  }

  /** Waits until all managers are those of the cluster, answer, and have the whole log. */
  public void awaitManagers() throws IOException {
    if (shape.managers() == 1) return;
    long startNanos = System.nanoTime();
    while (true) {
      List<Statuses.ManagerSeen> seen = managersSeen();
      boolean well = seen.stream().allMatch(this::isWell);
      if (well && seen.size() == shape.managers()) return;
      if (System.nanoTime() - startNanos > PLACE_NANOS_MAX) {
        throw new IOException("the managers are still " + seen);
      }
      LockSupport.parkNanos(PLACE_LOOK_NANOS);
    }
  }

  /** As the leader sees it; others do not know. */
  private boolean isWell(Statuses.ManagerSeen manager) {
    if (lostIncarnations.contains(manager.incarnation())) return false;
    boolean answers = manager.silentNanos() >= 0 && manager.silentNanos() < SILENT_NANOS_MAX;
    return answers && manager.behind() == 0;
  }

  /** The managers as the one that leads sees them. */
  public List<Statuses.ManagerSeen> managersSeen() throws IOException {
    try (Cluster cluster = connect()) {
      return cluster.managerStatus().managers();
    }
  }

  /** The name of the manager that leads; null if none is known to. */
  public @Nullable String leader() throws IOException {
    for (Statuses.ManagerSeen each : managersSeen()) {
      if (each.leads()) return each.name();
    }
    return shape.managers() == 1 ? RingMember.MANAGER : null;
  }

  /** How long a manager has taken to start until now, at most. */
  public Duration longestManagerStart() {
    return managerStart;
  }

  /** The certificates of its processes; null if it uses no TLS. */
  public @Nullable RingCertificates certificates() {
    return certificates;
  }

  /** How a client of that name connects, with a certificate of its own if the ring uses TLS. */
  public ForebayOptions clientOptions(String name) throws IOException {
    return certificates == null ? ForebayOptions.defaults() : certificates.user(name);
  }

  /** How its operator connects. */
  public ForebayOptions operatorOptions() {
    return certificates == null ? ForebayOptions.defaults() : certificates.operator();
  }

  /** Connects as its operator. */
  public Cluster connect() throws IOException {
    return Cluster.connect(clusterUri(), operatorOptions());
  }

  /** The directory of a process. */
  public Path directory(String name) {
    return directory.resolve(name);
  }

  /** The connections that a server has now with the other processes of the ring. */
  public synchronized OpenSockets connectionsOf(String name) throws IOException {
    List<Long> others = new ArrayList<>();
    members.forEach(
        (other, member) -> {
          if (!other.equals(name)) others.add(member.pid());
        });
    return OpenSockets.between(pid(name), others);
  }

  /** A server's name; servers count from 0 here and from 1 there. */
  public static String name(int server) {
    return "server-" + (server + 1);
  }

  /** The URI of the instance. */
  public String uri() {
    return clusterUri() + "/" + EmbeddedCluster.DEFAULT_INSTANCE;
  }

  private String clusterUri() {
    if (managers.isEmpty()) throw new IllegalStateException("the ring is not started");
    return "forebay://" + String.join(",", managers.values());
  }

  public synchronized long pid(String name) {
    return member(name).pid();
  }

  /** Kills a server, or the manager by {@link #MANAGER}, with SIGKILL. */
  public void kill(String name) {
    MemberProcess killed;
    synchronized (this) {
      killed = member(name);
      members.remove(name);
    }
    killed.kill();
  }

  /** Starts a server that was killed and waits until all serve again. */
  public void restart(String name) throws IOException, StartFailed {
    comeBack(name);
    awaitServing();
  }

  /** Restarts a killed server; when this returns, the others may not have noticed it yet. */
  public void comeBack(String name) throws IOException {
    startServer(name).awaitAddress();
  }

  /** The same with a new token, by which it gets another certificate. */
  public void comeBackEnrolled(String name) throws IOException {
    if (certificates == null) throw new IllegalStateException("a ring without TLS");
    startServer(name, certificates.tokenOptions(name)).awaitAddress();
  }

  /** Starts a server that cannot start; gives what its log says. */
  public String failToComeBack(String name) throws IOException {
    MemberProcess started = startServer(name);
    try {
      started.awaitAddress();
    } catch (IOException expected) {
      synchronized (this) {
        members.remove(name);
      }
      return String.join("\n", log(name).lastLines(FAILURE_LINES));
    }
    throw new IOException(name + " has started although it should not");
  }

  /** Adds a server to the running ring; it gets its groups and data in the background. */
  public void join(String name) throws IOException {
    synchronized (this) {
      joined.add(name);
    }
    startServer(name).awaitAddress();
  }

  /** Makes a server leave, and waits until its process has ended. */
  public void leave(String name) throws IOException {
    try (Cluster cluster = connect()) {
      awaitPlace(cluster, name);
      cluster.leave(name);
    }
    MemberProcess leaving;
    synchronized (this) {
      leaving = member(name);
    }
    leaving.awaitOwnEnd();
    synchronized (this) {
      members.remove(name);
      joined.remove(name);
    }
  }

  /** A server that has just joined gets its place when the manager has decided so. */
  private static void awaitPlace(Cluster cluster, String name) throws IOException {
    long startNanos = System.nanoTime();
    while (cluster.map().seats().stream().noneMatch(seat -> seat.server().equals(name))) {
      if (System.nanoTime() - startNanos > PLACE_NANOS_MAX) return;
      LockSupport.parkNanos(PLACE_LOOK_NANOS);
    }
  }

  /** Pauses a process: it keeps its connections and sends nothing. */
  public synchronized void pause(String name) throws IOException {
    member(name).signal("STOP");
  }

  /** Resumes a paused process. */
  public synchronized void resume(String name) throws IOException {
    member(name).signal("CONT");
  }

  /** The status of each server, by its name. */
  public Map<String, Statuses.SeatStatus> status() throws IOException {
    Map<String, Statuses.SeatStatus> all = new LinkedHashMap<>();
    try (Cluster cluster = connect()) {
      List<SeatEntry> seats = cluster.map().seats();
      for (int i = 0; i < shape.servers(); i++) {
        for (SeatEntry seat : seats) {
          if (seat.server().equals(name(i))) all.put(name(i), cluster.seatStatus(seat.id()));
        }
      }
    }
    return all;
  }

  /** The newest map that the manager gives. */
  public RingMap map() throws IOException {
    try (Cluster cluster = connect()) {
      return cluster.map();
    }
  }

  /** Whether every group has as many current members as copies. */
  public static boolean hasAllCopies(RingMap map) {
    return map.groups().stream().allMatch(Group::isWhole);
  }

  /** Fails if a process has ended by itself. */
  public synchronized void requireAlive() throws IOException {
    for (MemberProcess member : members.values()) member.requireAlive();
  }

  /** The last log lines of each process. */
  public List<String> lastLogLines() {
    List<String> lines = new ArrayList<>();
    for (String manager : managerNames()) lines.addAll(log(manager).lastLines());
    for (int i = 0; i < shape.servers(); i++) lines.addAll(log(name(i)).lastLines());
    return lines;
  }

  /** All log lines of the managers, of each in its order. */
  public List<String> managerLogLines() {
    List<String> lines = new ArrayList<>();
    for (String manager : managerNames()) lines.addAll(log(manager).lastLines(Integer.MAX_VALUE));
    return lines;
  }

  /** Stops everything cleanly, so that it can be started again. */
  public synchronized void end() {
    closed = true;
    if (certificates != null) certificates.close();
    for (MemberProcess member : members.values()) member.tellToEnd();
    for (MemberProcess member : members.values()) member.awaitEnd();
    members.clear();
  }

  /** Kills everything. */
  @Override
  public synchronized void close() {
    closed = true;
    if (certificates != null) certificates.close();
    for (MemberProcess member : members.values()) member.kill();
    members.clear();
  }

  private void makeInstance() throws IOException {
    // The directory of a drain belongs to the operator.
    ForebayOptions owner = shape.drain().isNone() ? clientOptions("owner") : operatorOptions();
    try (Cluster cluster = Cluster.connect(clusterUri(), owner)) {
      cluster.createInstance(
          EmbeddedCluster.DEFAULT_INSTANCE,
          InstanceOptions.defaults()
              .withCopies(shape.copies())
              .withPlacement(shape.placement())
              .withDrain(shape.drain()));
    } catch (ForebayException e) {
      // On a busy machine the answer may be late, and the question asked twice.
      if (e.code() != ErrorCode.EXISTS) throw e;
    }
  }

  /** Waits until every group is served. */
  public void awaitServing() throws IOException, StartFailed {
    ClusterStart.await(clusterUri(), shape.servers(), null, shape.copies(), operatorOptions());
  }

  private MemberProcess startServer(String name) throws IOException {
    return startServer(name, certificates == null ? List.of() : certificates.serverOptions(name));
  }

  private synchronized MemberProcess startServer(String name, List<String> more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                RingMember.SERVER,
                "--dir",
                directory.resolve(name).toString(),
                "--managers",
                String.join(",", managers.values()),
                "--server-name",
                name,
                "--listen",
                host(name).address + ":0",
                "--join",
                Boolean.toString(joined.contains(name)),
                "--unix-sockets",
                Boolean.toString(host(name).isLoopback() && certificates == null),
                "--memory-root",
                memory.toString(),
                "--memory",
                Long.toString(shape.memoryBytes()),
                "--ssd",
                Long.toString(shape.ssdBytes()),
                "--segment",
                Integer.toString(shape.segmentBytes())));
    arguments.addAll(more);
    if (!shape.drain().isNone()) {
      arguments.add("--backing-root");
      arguments.add(BackingLocation.withoutPace(shape.drain().backing()));
    }
    return start(name, arguments);
  }

  private synchronized MemberProcess start(String name, List<String> arguments) throws IOException {
    if (closed) throw new IOException("interrupted");
    OwnerOnly.createDirectories(directory);
    List<String> command = new ArrayList<>(arguments);
    command.addAll(host(name).options());
    MemberProcess member =
        MemberProcess.start(log(name), host(name).command, shape.java(), command);
    members.put(name, member);
    return member;
  }

  private Host host(String name) {
    return hosts.getOrDefault(name, Host.LOOPBACK);
  }

  private MemberProcess member(String name) {
    MemberProcess member = members.get(name);
    if (member == null) throw new IllegalStateException(name + " does not run");
    return member;
  }

  private MemberProcess.Log log(String name) {
    return new MemberProcess.Log(name, directory.resolve(name + ".log"));
  }
}
