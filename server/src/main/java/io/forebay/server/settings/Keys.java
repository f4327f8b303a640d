// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.settings;

import io.forebay.backing.location.BackingRoots;
import io.forebay.base.GroupId;
import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.ring.Pool;
import io.forebay.seat.SeatConfig;
import io.forebay.seat.consensus.Peer;
import io.forebay.seat.manager.pool.PoolBook;
import io.forebay.server.proof.MungeOption;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.UserBounds;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Maps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All settings, and the processes that they apply to. */
public final class Keys {
  public static final int SEATS_MAX = 64;
  public static final int SERVERS_MAX = 4096;

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final long TIB = 1024 * 1024 * MIB;
  private static final long BUDGET_MIN = StoreConfig.SLOTS_MIN * StoreConfig.SEGMENT_BYTES_MIN;
  private static final long BUDGET_MAX = 1024 * TIB;
  private static final int NAME_CHARS_MAX = 100;
  private static final int POOL_CHARS_MAX = 64;
  private static final int WEIGHT_MAX = 1000;
  private static final int SEAT_NUMBER_MAX = 1_000_000;
  private static final int CONNECTIONS_MIN = 16;
  private static final int OPEN_FILES_MIN = 16;
  private static final int CONNECTIONS_MAX = 64 * 1024;

  public static final Key<Path> DIR =
      Key.required(
          "dir", Kind.path(), "Persistent data is kept below it; created if it does not exist.");

  public static final Key<Address.Inet> MANAGER_LISTEN =
      Key.of(
          "listen",
          Kind.address(),
          "127.0.0.1:7070",
          "Where servers and clients reach the manager.");

  public static final Key<Address.Inet> SERVER_LISTEN =
      Key.of(
          "listen",
          Kind.address(),
          "127.0.0.1:0",
          "The address at which others reach the first seat; the next seats take the next ports.");

  public static final Key<List<Address>> MANAGERS =
      Key.of(
          "managers",
          Kind.addresses(),
          "127.0.0.1:7070",
          "The addresses of the managers; one is enough.");

  public static final Key<Address.Inet> PEER_LISTEN =
      Key.optional(
          "peer-listen",
          Kind.address(),
          "none: the cluster has one manager",
          "Where the other managers of the cluster reach this one; it is one of several then.");

  public static final Key<List<Address>> OTHER_MANAGERS =
      Key.optional(
          "managers",
          Kind.addresses(),
          "none: it is the first one",
          "Where clients reach the other managers: with an empty dir, it joins their cluster.");

  public static final Key<String> MANAGER_NAME =
      Key.optional(
          "manager-name",
          Kind.identifier(Peer.NAME_CHARS_MAX),
          "host name and last part of dir",
          "The manager's name among several; a manager that lost its dir comes back by it.");

  public static final Key<String> SERVER_NAME =
      Key.optional(
          "server-name",
          Kind.name(NAME_CHARS_MAX),
          "host name and last part of dir",
          "The server's name; copies go to servers with different names.");

  public static final Key<String> POOL =
      Key.of(
          "pool",
          Kind.identifier(POOL_CHARS_MAX),
          Pool.DEFAULT,
          "The pool that its seats belong to; copies and capacities stay within a pool.");

  public static final Key<Long> GRANULARITY =
      Key.of(
          "granularity",
          Kind.size(64 * KIB, 1024 * TIB, false),
          PoolBook.GRANULE_BYTES_DEFAULT / MIB + "MiB",
          "The unit of capacity of pools that do not have another one ('forebay pools set').");

  public static final Key<Integer> SEATS =
      Key.of(
          "seats",
          Kind.number(1, SEATS_MAX),
          "1",
          "Seats of this server, each with a thread and a log of its own; more use more cores.");

  public static final Key<Long> MEMORY =
      Key.of(
          "memory",
          Kind.size(BUDGET_MIN, BUDGET_MAX, true),
          "1GiB",
          "Memory for data, of the whole server, taken at the start; its seats share it equally.");

  public static final Key<Long> SSD =
      Key.of(
          "ssd",
          Kind.size(BUDGET_MIN, BUDGET_MAX, true),
          "8GiB",
          "Room for data below dir, of the whole server; its seats share it equally.");

  public static final Key<Long> SEGMENT =
      Key.of(
          "segment",
          Kind.size(SeatConfig.SEGMENT_BYTES_MIN, StoreConfig.SEGMENT_BYTES_MAX, false),
          "64MiB",
          "Size of a log's files; a seat needs six of them in each of memory and ssd."
              + " It cannot be changed later.");

  public static final Key<Path> MEMORY_ROOT =
      Key.optional(
          "memory-root",
          Kind.path(),
          "/dev/shm where there is one",
          "Directory in memory for data, where a restarted server finds it again.");

  public static final Key<Boolean> ANONYMOUS_MEMORY =
      Key.of(
          "anonymous-memory",
          Kind.flag(),
          "false",
          "Whether memory that does not fit in memory-root may be the process's own: without"
              + " ssd, data there is lost when the server ends.");

  public static final Key<Boolean> UNIX_SOCKETS =
      Key.of(
          "unix-sockets",
          Kind.flag(),
          "true",
          "Whether clients on this machine connect through Unix sockets below dir.");

  public static final Key<Long> CREDIT =
      Key.of(
          "credit",
          Kind.size(MIB, 1024 * MIB, false),
          SeatConfig.CREDIT_BYTES_DEFAULT / MIB + "MiB",
          "How many bytes a client may have in flight to a seat.");

  public static final Key<Long> SCRUB =
      Key.of(
          "scrub",
          Kind.size(KIB, 1024 * MIB, true),
          SeatConfig.SCRUB_BYTES_DEFAULT / MIB + "MiB",
          "How many bytes each seat compares with their checksums per second, to find damage.");

  public static final Key<Long> SHUFFLE =
      Key.of(
          "shuffle",
          Kind.size(SeatConfig.SHUFFLE_BYTES_MIN, 64 * 1024 * MIB, false),
          SeatConfig.SHUFFLE_BYTES_DEFAULT / MIB + "MiB",
          "Memory of each seat to gather drained bytes from other seats; all seats together take"
              + " at most half of the process's direct memory.");

  public static final Key<Integer> WEIGHT =
      Key.of(
          "weight",
          Kind.number(1, WEIGHT_MAX),
          "1",
          "Share of new data that goes to each of its seats, relative to the others'.");

  public static final Key<Boolean> JOIN =
      Key.of(
          "join",
          Kind.flag(),
          "false",
          "Whether its seats join a running ring that has all expected servers and does not know them.");

  public static final Key<Integer> AFTER =
      Key.of(
          "after",
          Kind.number(0, SEAT_NUMBER_MAX),
          "0",
          "The seat of the ring behind which the first of them joins; 0 lets the manager choose.");

  public static final Key<Duration> GONE_AFTER =
      Key.of(
          "gone-after",
          Kind.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          "20s",
          "When a server has been away for this long, other servers replace it.");

  public static final Key<Boolean> REDIRECT =
      Key.of(
          "redirect",
          Kind.flag(),
          "true",
          "Whether a seat that is short of memory redirects clients to seats that have more.");

  public static final Key<List<Path>> STAGE_ROOT =
      Key.optional(
          "stage-root",
          Kind.paths(),
          "none: nothing can be staged",
          "The directories below which files may be staged in and out.");

  public static final Key<Long> STAGE_RATE =
      Key.of(
          "stage-rate",
          Kind.size(KIB, 1024 * 1024 * MIB, true),
          "0",
          "How many bytes per second a server reads and writes below stage-root for all stages.");

  public static final Key<BackingRoots> BACKING_ROOT =
      Key.optional(
          "backing-root",
          Kind.backingRoots(),
          "none: nothing can be drained",
          "The directories and addresses below which instances may have their backing stores.");

  public static final Key<BackingRoots> UP_BACKING_ROOT =
      Key.optional(
          "backing-root",
          Kind.backingRoots(),
          "backing in dir, which is created",
          "The directories and addresses below which instances may have their backing stores.");

  public static final Key<Integer> EXPECT =
      Key.of(
          "expect",
          Kind.number(1, SERVERS_MAX),
          "3",
          "The ring is formed when this many servers have registered with all their seats.");

  public static final Key<Duration> WAIT =
      Key.of(
          "wait",
          Kind.duration(Duration.ofMillis(10), Duration.ofMinutes(60)),
          "10s",
          "Or this long after the first server has registered, with the servers registered so far.");

  public static final Key<Integer> MANAGER_COPIES =
      Key.of(
          "copies",
          Kind.number(1, GroupId.COPIES_MAX),
          "2",
          "How many servers keep each byte of an instance that does not set it.");

  public static final Key<Path> TLS_CERTIFICATE =
      Key.optional(
          "tls-certificate",
          Kind.file(),
          "none: no TLS",
          "The certificate of this process (PEM), with intermediate ones behind it; all TCP"
              + " connections then use TLS.");

  public static final Key<Path> TLS_KEY =
      Key.optional(
          "tls-key",
          Kind.file(),
          "none: no TLS",
          "The private key of that certificate (PEM, PKCS#8, not encrypted).");

  public static final Key<Path> TLS_CA =
      Key.optional(
          "tls-ca",
          Kind.file(),
          "none: no TLS",
          "The certificates of the CAs (PEM) that must have issued the certificates of all peers.");

  public static final Key<String> TLS_PEER_NAME =
      Key.optional(
          "tls-peer-name",
          Kind.name(NAME_CHARS_MAX),
          "the host or address that is dialled",
          "The name that the certificates of dialled servers and managers must carry.");

  public static final Key<String> TOKEN =
      Key.optional(
          "token",
          Kind.name(NAME_CHARS_MAX * 10),
          "none",
          "A token of 'forebay token create' with the role of this process, or @FILE with one: it"
              + " gets a certificate of the cluster's own CA. Needed once.");

  public static final Key<Boolean> OWN_CA =
      Key.of(
          "own-ca",
          Kind.flag(),
          "false",
          "Whether the manager has a CA of its own also when it listens on a loopback address;"
              + " beyond it has one unless tls-certificate or insecure is set.");

  public static final Key<Duration> CERTIFICATE_LIFETIME =
      Key.of(
          "certificate-lifetime",
          Kind.duration(Duration.ofSeconds(10), Duration.ofDays(3650)),
          "90d",
          "How long the certificates of the cluster's own CA are valid; processes renew them after"
              + " two thirds of it.");

  public static final Key<MungeOption> MUNGE =
      Key.of(
          "munge",
          Kind.munge(),
          "off",
          "Whether users may prove themselves by credentials of MUNGE, which munged on this machine"
              + " checks; a path is that of its socket. Needs TLS.");

  public static final Key<Boolean> INSECURE =
      Key.of(
          "insecure",
          Kind.flag(),
          "false",
          "Allows listening beyond this machine without TLS, so that every host may read and"
              + " write.");

  public static final Key<Path> AUDIT_LOG =
      Key.optional(
          "audit-log",
          Kind.file(),
          "audit/audit.log in dir",
          "The file that tells which user did what, one line of JSON each.");

  public static final Key<Long> AUDIT_LOG_SIZE =
      Key.of(
          "audit-log-size",
          Kind.size(64 * KIB, 1024 * MIB, false),
          "16MiB",
          "A file of this size is moved aside; the newest eight files are kept.");

  public static final Key<Integer> CONNECTIONS =
      Key.of(
          "connections",
          Kind.number(CONNECTIONS_MIN, CONNECTIONS_MAX),
          Integer.toString(WireLimits.CONNECTIONS_MAX),
          "How many connections a seat or the manager accepts, each with a file descriptor.");

  public static final Key<Integer> CLIENT_CONNECTIONS =
      Key.of(
          "client-connections",
          Kind.number(1, CONNECTIONS_MAX),
          Integer.toString(WireLimits.CLIENT_CONNECTIONS_MAX),
          "The part of them that clients may use; servers and managers have the rest.");

  public static final Key<Integer> CONNECTIONS_PER_ADDRESS =
      Key.of(
          "connections-per-address",
          Kind.number(1, CONNECTIONS_MAX),
          Integer.toString(WireLimits.ADDRESS_CONNECTIONS_MAX),
          "The part of client-connections that clients of one address may use.");

  public static final Key<Integer> CONNECTIONS_PER_USER =
      Key.of(
          "connections-per-user",
          Kind.number(1, CONNECTIONS_MAX),
          Integer.toString(WireLimits.USER_CONNECTIONS_MAX),
          "The part of client-connections that one user of this machine may use.");

  public static final Key<Integer> SESSIONS_PER_USER =
      Key.of(
          "sessions-per-user",
          Kind.number(1, NameLimits.SESSIONS_MAX),
          Integer.toString(UserBounds.DEFAULT.sessions()),
          "How many sessions one user may have in an instance of another.");

  public static final Key<Integer> TREES_PER_USER =
      Key.of(
          "trees-per-user",
          Kind.number(1, NameLimits.TREES_MAX),
          Integer.toString(UserBounds.DEFAULT.trees()),
          "How many private trees one user may begin in an instance of another.");

  public static final Key<Integer> OPEN_FILES =
      Key.of(
          "open-files",
          Kind.number(OPEN_FILES_MIN, UserBounds.DEFAULT.openFiles()),
          Integer.toString(UserBounds.DEFAULT.openFiles()),
          "How many files one session may have open.");

  public static final Key<String> LOG_LEVEL =
      Key.of(
          "log-level",
          Kind.word("error", "warn", "info", "debug"),
          "info",
          "How much is logged to stderr.");

  public static final Key<Integer> SERVERS =
      Key.of("servers", Kind.number(1, SEATS_MAX), "3", "How many servers there are.");

  public static final Key<Integer> COPIES =
      Key.of(
          "copies",
          Kind.number(1, GroupId.COPIES_MAX),
          "2",
          "How many servers keep each byte of the instance 'default'.");

  public static final Key<Path> UP_DIR =
      Key.optional(
          "dir",
          Kind.path(),
          "a temporary one, removed at the end",
          "Persistent data is kept below it, and found again next time.");

  public static final Key<Long> UP_MEMORY =
      Key.of(
          "memory",
          MEMORY.kind(),
          "512MiB",
          "Memory for data, of each server, taken at the start.");

  public static final Key<Long> UP_SSD =
      Key.of("ssd", SSD.kind(), "2GiB", "Room for data on the disk, of each server.");

  public static final Key<Long> UP_SEGMENT =
      Key.of("segment", SEGMENT.kind(), "16MiB", SEGMENT.meaning());

  public static final Key<String> UP_LOG_LEVEL =
      Key.of("log-level", LOG_LEVEL.kind(), "warn", LOG_LEVEL.meaning());

  public static final Key<Integer> UP_SEATS =
      Key.of("seats", SEATS.kind(), "1", "Seats of each server.");

  public static final Key<Integer> UP_MANAGERS =
      Key.optional(
          "managers",
          Kind.number(1, Maps.MANAGERS_MAX),
          "1, or as many as dir has",
          "How many managers there are: 1, 3 or 5.");

  public static final Key<Optional<Address.Inet>> MANAGER_METRICS = metricsListen("127.0.0.1:7090");

  public static final Key<Optional<Address.Inet>> SERVER_METRICS = metricsListen("127.0.0.1:7091");

  private static Key<Optional<Address.Inet>> metricsListen(String usual) {
    return Key.of(
        "metrics-listen",
        Kind.addressOrNone(),
        usual,
        "Where monitoring systems read metrics over HTTP; if the default port is taken, a free one,"
            + " which the log names. Beyond this machine it uses TLS.");
  }

  public static final Key<Set<Integer>> METRICS_USERS =
      Key.optional(
          "metrics-users",
          Kind.users(),
          "none",
          "Users whose certificates let them read metrics over TLS, besides administrators.");

  /** The settings of {@code forebay manager}. */
  public static final List<Key<?>> MANAGER =
      List.of(
          DIR,
          MANAGER_LISTEN,
          PEER_LISTEN,
          OTHER_MANAGERS,
          MANAGER_NAME,
          EXPECT,
          WAIT,
          MANAGER_COPIES,
          GRANULARITY,
          GONE_AFTER,
          TOKEN,
          OWN_CA,
          CERTIFICATE_LIFETIME,
          MUNGE,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_CA,
          TLS_PEER_NAME,
          INSECURE,
          AUDIT_LOG,
          AUDIT_LOG_SIZE,
          CONNECTIONS,
          CLIENT_CONNECTIONS,
          CONNECTIONS_PER_ADDRESS,
          CONNECTIONS_PER_USER,
          MANAGER_METRICS,
          METRICS_USERS,
          LOG_LEVEL);

  /** The settings of {@code forebay server}. */
  public static final List<Key<?>> SERVER =
      List.of(
          DIR,
          MANAGERS,
          SERVER_LISTEN,
          SERVER_NAME,
          POOL,
          SEATS,
          MEMORY,
          SSD,
          SEGMENT,
          MEMORY_ROOT,
          ANONYMOUS_MEMORY,
          UNIX_SOCKETS,
          CREDIT,
          SCRUB,
          SHUFFLE,
          WEIGHT,
          JOIN,
          AFTER,
          REDIRECT,
          STAGE_ROOT,
          STAGE_RATE,
          BACKING_ROOT,
          TOKEN,
          TLS_CERTIFICATE,
          TLS_KEY,
          TLS_CA,
          TLS_PEER_NAME,
          INSECURE,
          AUDIT_LOG,
          AUDIT_LOG_SIZE,
          CONNECTIONS,
          CLIENT_CONNECTIONS,
          CONNECTIONS_PER_ADDRESS,
          CONNECTIONS_PER_USER,
          SESSIONS_PER_USER,
          TREES_PER_USER,
          OPEN_FILES,
          SERVER_METRICS,
          METRICS_USERS,
          LOG_LEVEL);

  /** The settings of {@code forebay up}. */
  public static final List<Key<?>> UP =
      List.of(
          UP_DIR,
          MANAGER_LISTEN,
          UP_MANAGERS,
          SERVERS,
          UP_SEATS,
          COPIES,
          GRANULARITY,
          UP_MEMORY,
          UP_SSD,
          UP_SEGMENT,
          MEMORY_ROOT,
          ANONYMOUS_MEMORY,
          STAGE_ROOT,
          STAGE_RATE,
          UP_BACKING_ROOT,
          OWN_CA,
          CERTIFICATE_LIFETIME,
          INSECURE,
          MANAGER_METRICS,
          METRICS_USERS,
          UP_LOG_LEVEL);

  private Keys() {}
}
