// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.backing.location.BackingRoots;
import io.forebay.client.ForebayOptions;
import io.forebay.metrics.Registry;
import io.forebay.ring.Pool;
import io.forebay.seat.SeatConfig;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.server.authority.ServerEnrolment;
import io.forebay.server.authority.ServerTokens;
import io.forebay.server.metrics.MetricsOptions;
import io.forebay.server.metrics.MetricsService;
import io.forebay.server.stage.side.StageAccess;
import io.forebay.store.directory.MemoryRoom;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.wire.Address;
import io.forebay.wire.UserBounds;
import io.forebay.wire.tls.IdentityFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster inside this program: a manager and servers on real sockets of this machine, for
 * tests and first steps. Any thread may use it, one at a time.
 *
 * <pre>
 *   try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(3).copies(2).start()) {
 *     Forebay forebay = Forebay.connect(cluster.uri());
 *   }
 * </pre>
 */
public final class EmbeddedCluster implements LocalProcess {
  /** The instance that exists from the start. */
  public static final String DEFAULT_INSTANCE = "default";

  private static final Duration GATHERING_MAX = Duration.ofSeconds(60);

  /** Below the cluster's directory, where there is no room in a memory file system. */
  private static final String MEMORY = "memory";

  /** The properties of a cluster; start with {@link EmbeddedCluster#builder}. */
  public static final class Builder {
    private int servers = 3;
    private int seats = 1;
    private int copies = 2;
    private int managers;
    private Address.Inet listen = new Address.Inet("127.0.0.1", 0);
    private @Nullable Path directory;
    private @Nullable Path memoryRoot;
    private boolean memoryInDirectory;
    private boolean anonymousMemory;
    private long memoryBytes = 64L << 20;
    private long ssdBytes = 256L << 20;
    private int segmentBytes = 4 << 20;
    private boolean unixSockets = true;
    private boolean redirects = true;
    private boolean defaultInstance = true;
    private StageAccess staging = StageAccess.NONE;
    private BackingRoots backingRoots = BackingRoots.NONE;
    private boolean ownBacking;
    private long shuffleBytes = SeatConfig.SHUFFLE_BYTES_DEFAULT;
    private long granuleBytes = 1 << 20;
    private List<String> pools = List.of(Pool.DEFAULT);
    private UserBounds users = UserBounds.DEFAULT;
    private Access access = Access.LOCAL;

    private Builder() {}

    public Builder servers(int count) {
      servers = count;
      return this;
    }

    /**
     * How many managers there are, each with a log of its own; unless given, as many as its
     * directory has, or one.
     */
    public Builder managers(int count) {
      managers = count;
      return this;
    }

    /** How many seats each server has. */
    public Builder seats(int count) {
      seats = count;
      return this;
    }

    /** How many servers keep each byte of the default instance. */
    public Builder copies(int count) {
      copies = count;
      return this;
    }

    /** The manager's address; its servers take free ports at that host. Loopback unless given. */
    public Builder listen(Address.Inet at) {
      listen = at;
      return this;
    }

    /**
     * The directory whose data stays when the cluster is closed, and is found again by the next.
     * Without one, everything is deleted at the end.
     */
    public Builder directory(@Nullable Path kept) {
      directory = kept;
      return this;
    }

    /** A directory in memory for data; the machine's usual one unless given. */
    public Builder memoryRoot(@Nullable Path root) {
      memoryRoot = root;
      return this;
    }

    /**
     * Keeps the memory tier in files below the cluster's directory: for machines whose memory file
     * system is too small. As slow as that disk.
     */
    public Builder memoryInDirectory() {
      memoryInDirectory = true;
      return this;
    }

    /** Whether memory that finds no room in its directory may die with this process. */
    public Builder anonymousMemory(boolean allowed) {
      anonymousMemory = allowed;
      return this;
    }

    /** Why there is too little memory for the servers, or null. */
    public @Nullable String memoryShortage() throws IOException {
      try {
        // A directory that does not exist yet holds no log; any name will do.
        Path place = directory == null ? Path.of("forebay-unmade").toAbsolutePath() : directory;
        Storage.requireMemory(memory(place));
        return null;
      } catch (StartFailed shortage) {
        return String.valueOf(shortage.getMessage());
      }
    }

    private List<MemoryRoom> memory(Path place) throws StartFailed, IOException {
      List<MemoryRoom> rooms = new ArrayList<>();
      for (int i = 0; i < servers; i++) rooms.addAll(storage(place, i).memory(seats));
      return rooms;
    }

    private Storage storage(Path place, int server) {
      return new Storage(
          serverDirectory(place, server),
          memoryInDirectory ? place.resolve(MEMORY) : memoryRoot,
          memoryBytes,
          ssdBytes,
          segmentBytes,
          anonymousMemory);
    }

    /** The memory and disk budget of each server. */
    public Builder budget(long memory, long ssd) {
      memoryBytes = memory;
      ssdBytes = ssd;
      return this;
    }

    public Builder segmentBytes(int bytes) {
      segmentBytes = bytes;
      return this;
    }

    /**
     * Whether clients of this machine connect through Unix sockets, if their paths are short
     * enough.
     */
    public Builder unixSockets(boolean used) {
      unixSockets = used;
      return this;
    }

    /** Whether seats that are short of room send clients to others. */
    public Builder redirects(boolean whether) {
      redirects = whether;
      return this;
    }

    /** The directories below which files may be staged; none unless given. */
    public Builder stageRoots(List<Path> directories) {
      return staging(new StageAccess(directories, 0));
    }

    /** What of the file system each server may stage, and how fast. */
    public Builder staging(StageAccess access) {
      staging = access;
      return this;
    }

    /** The directories below which instances may have their backing stores; none unless given. */
    public Builder backingRoots(List<Path> directories) {
      return backingRoots(BackingRoots.of(directories.stream().map(Path::toString).toList()));
    }

    /** The same of any kind. */
    public Builder backingRoots(BackingRoots roots) {
      backingRoots = roots;
      return this;
    }

    /** Backing stores are below a directory of the cluster's own, which is created. */
    public Builder ownBackingRoot() {
      ownBacking = true;
      return this;
    }

    /** The memory of each seat for drained bytes from other seats. */
    public Builder shuffle(long bytes) {
      shuffleBytes = bytes;
      return this;
    }

    /** The unit of capacity of its pools. */
    public Builder granuleBytes(long bytes) {
      granuleBytes = bytes;
      return this;
    }

    /** The pools of its servers, in turn. */
    public Builder pools(String... names) {
      pools = List.of(names);
      return this;
    }

    /** How much of an instance one user may have. */
    public Builder users(UserBounds bounds) {
      users = bounds;
      return this;
    }

    /** The files with the certificates of all its processes; without them, no TLS. */
    public Builder tls(@Nullable TlsSettings files) {
      return access(new Access(false, files));
    }

    /** How peers reach its processes. With a CA of its own, its servers enrol by themselves. */
    public Builder access(Access given) {
      access = given;
      return this;
    }

    /** Makes no instance. */
    public Builder withoutInstance() {
      defaultInstance = false;
      return this;
    }

    /** Starts everything and waits until the ring serves. */
    public EmbeddedCluster start() throws StartFailed, IOException {
      if (copies > servers * seats) {
        throw new StartFailed(
            "%d copies need as many seats, and there are only %d; raise servers or lower copies"
                .formatted(copies, servers * seats));
      }
      EmbeddedCluster cluster = new EmbeddedCluster(this);
      try {
        cluster.open();
      } catch (StartFailed | IOException | RuntimeException e) {
        cluster.close();
        throw e;
      }
      return cluster;
    }
  }

  private static final FileAttribute<?> BACKING_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  private final Builder asked;
  private final Path directory;
  private final boolean temporary;
  private final EmbeddedManagers managers;
  private final List<@Nullable ServerProcess> servers = new ArrayList<>();
  private final Registry registry = new Registry();
  private @Nullable MetricsService metrics;
  private boolean closed;

  private EmbeddedCluster(Builder asked) throws IOException {
    this.asked = asked;
    this.temporary = asked.directory == null;
    this.directory =
        asked.directory == null ? Files.createTempDirectory("forebay-") : asked.directory;
    this.managers =
        new EmbeddedManagers(
            directory,
            asked.listen,
            access(),
            new ManagerConfig(asked.servers, GATHERING_MAX.toNanos(), asked.copies)
                .withGranuleBytes(asked.granuleBytes),
            asked.managers);
  }

  public static Builder builder() {
    return new Builder();
  }

  private void open() throws StartFailed, IOException {
    // Users may have directories of their own there.
    if (asked.ownBacking) Files.createDirectories(ownBacking(), BACKING_MODE);
    if (asked.memoryInDirectory) OwnerOnly.createDirectories(directory.resolve(MEMORY));
    // Before any server begins to take memory: it must suffice for all.
    Storage.requireMemory(asked.memory(directory));
    // Its servers listen at the same host.
    ListenGuard.requireDialable(asked.listen);
    managers.start();
    for (int i = 0; i < asked.servers; i++) servers.add(started(i));
    openMetrics();
    ClusterStart.await(
        uri(""),
        asked.servers * asked.seats,
        asked.defaultInstance ? DEFAULT_INSTANCE : null,
        asked.copies,
        options());
  }

  private ServerProcess started(int server) throws StartFailed, IOException {
    ServerProcess started = ServerProcess.start(serverConfig(server));
    registry.add(started.metrics());
    return started;
  }

  /** One door for all its processes. */
  private void openMetrics() throws StartFailed {
    registry.add(managers::collect);
    metrics = Listening.metrics("up", asked.access, managers.get(0).tls(), registry);
  }

  /** Where monitoring systems read the metrics of all its processes; null for nowhere. */
  public @Nullable String metricsUrl() {
    return metrics == null ? null : metrics.url();
  }

  /**
   * How peers reach its managers. Where its servers have certificates there was a CA, and there is
   * one again.
   */
  private Access access() {
    boolean enrolled = false;
    for (int i = 0; i < asked.servers; i++) enrolled |= certificates(i).exist();
    Access access = asked.access.with(MetricsOptions.OFF);
    return enrolled ? access.withOwnCa() : access;
  }

  private IdentityFiles certificates(int server) {
    return ServerEnrolment.files(serverDirectory(directory, server));
  }

  /** Whether its processes have certificates of a CA of its own. */
  public boolean hasOwnCa() {
    return asked.access.mayEnrol() && managers.hasOwnCa();
  }

  /** The directory of the first manager, which has the CA and the administrator's certificate. */
  public Path managerDirectory() {
    return directory.resolve("manager");
  }

  /** How peers reach a server, which gets a certificate if it has none that it can use. */
  private Access accessOf(int server) throws IOException {
    Access access = asked.access.with(MetricsOptions.OFF);
    if (!hasOwnCa()) return access;
    try (ServerTokens tokens = ServerTokens.of(managers.addresses(), managerDirectory())) {
      return access.withToken(tokens.ifNeeded(serverName(server), certificates(server)));
    }
  }

  private ServerConfig serverConfig(int server) throws IOException {
    return new ServerConfig(
        serverName(server),
        managers.addresses(),
        new Address.Inet(asked.listen.host(), 0),
        asked.unixSockets,
        accessOf(server),
        asked.seats,
        asked.storage(directory, server),
        1,
        SeatConfig.CREDIT_BYTES_DEFAULT,
        asked.redirects,
        SeatConfig.SCRUB_BYTES_DEFAULT,
        asked.shuffleBytes,
        false,
        0,
        asked.staging,
        asked.ownBacking ? BackingRoots.of(List.of(ownBacking().toString())) : asked.backingRoots,
        asked.pools.get(server % asked.pools.size()),
        AuditFiles.in(serverDirectory(directory, server)),
        asked.users);
  }

  private Path ownBacking() {
    return directory.toAbsolutePath().resolve("backing");
  }

  private static Path serverDirectory(Path place, int server) {
    return place.resolve(serverName(server));
  }

  private static String serverName(int server) {
    return "server-" + (server + 1);
  }

  /** The URI of the default instance. */
  public String uri() {
    return uri(DEFAULT_INSTANCE);
  }

  /** The URI of an instance; an empty name is the cluster itself. */
  public String uri(String instance) {
    return "forebay://" + managers.inUri() + (instance.isEmpty() ? "" : "/" + instance);
  }

  /** How clients of this program connect to it: with a CA of its own, as its administrator. */
  public ForebayOptions options() {
    return ForebayOptions.defaults()
        .withTls(
            hasOwnCa() ? ManagerAuthority.administrator(managerDirectory()) : asked.access.tls());
  }

  /** The address of the first manager. */
  public Address.Inet managerAddress() {
    return manager().address();
  }

  /** The first manager, which can be stopped and started again. */
  public EmbeddedManager manager() {
    return managers.get(0);
  }

  /** All managers. */
  public EmbeddedManagers managers() {
    return managers;
  }

  public Path directory() {
    return directory;
  }

  public int servers() {
    return servers.size();
  }

  /** The addresses of a server's seats; servers count from 0. */
  public List<Address> addresses(int server) {
    ServerProcess process = servers.get(server);
    return process == null ? List.of() : process.addresses();
  }

  /** Stops one server cleanly; servers count from 0. */
  public void stop(int server) {
    ServerProcess process = servers.set(server, null);
    if (process == null) return;
    registry.remove(process.metrics());
    process.close();
  }

  /** Starts a stopped server, with its data. */
  public void start(int server) throws StartFailed, IOException {
    if (servers.get(server) != null) {
      throw new IllegalStateException("server " + server + " runs already");
    }
    servers.set(server, started(server));
  }

  @Override
  public @Nullable String failure() {
    for (ServerProcess server : servers) {
      if (server != null && server.failure() != null) return server.failure();
    }
    return managers.failure();
  }

  /** Stops everything; deletes all data unless a directory was given. */
  @Override
  public void close() {
    if (closed) return;
    closed = true;
    // An interrupted thread cannot close files, so the interrupt is cleared until all is closed.
    boolean interrupted = Thread.interrupted();
    try {
      stopAll();
      if (temporary) removeAll();
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private void stopAll() {
    if (metrics != null) metrics.close();
    for (ServerProcess server : servers) {
      if (server != null) server.endStaging();
    }
    for (ServerProcess server : servers) {
      if (server != null) server.stop();
    }
    for (int i = 0; i < servers.size(); i++) stop(i);
    managers.stop();
  }

  private void removeAll() {
    for (int server = 0; server < asked.servers; server++) {
      for (int seat = 1; seat <= asked.seats; seat++) {
        FileTrees.removeLog(SeatCore.directoryOf(serverDirectory(directory, server), seat));
      }
    }
    FileTrees.remove(directory);
  }
}
