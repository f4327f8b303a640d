// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import java.util.Locale;

/**
 * What a peer can take from a server or a manager, and no more. The table in {@code
 * docs/security.md} shows these, and {@code forebay status --json} how often each was reached.
 */
public enum Limit {
  CONNECTIONS(
      WireLimits.CONNECTIONS_MAX,
      Unit.COUNT,
      "Connections to a seat or a manager. Further ones are closed at once."),
  CLIENT_CONNECTIONS(
      WireLimits.CLIENT_CONNECTIONS_MAX,
      Unit.COUNT,
      "The part of them that clients may use. When it is used up, a client that was silent for 10 s"
          + " is closed for a new one, else the new one is refused. So it is with the next two."),
  CONNECTIONS_PER_ADDRESS(
      WireLimits.ADDRESS_CONNECTIONS_MAX,
      Unit.COUNT,
      "The part of them that clients of one address may use; a /64 network of IPv6 and all loopback"
          + " addresses count as one. Users of this machine are not counted here."),
  CONNECTIONS_PER_USER(
      WireLimits.USER_CONNECTIONS_MAX,
      Unit.COUNT,
      "The part of them that one user of this machine may use, at Unix sockets and at addresses of"
          + " the machine, as the kernel proves it."),
  UNGREETED_CONNECTIONS(
      WireLimits.GREETING_CONNECTIONS_MAX,
      Unit.COUNT,
      "Connections whose handshake is not finished. Beyond it, the oldest one of the address that"
          + " has most of them is closed."),
  HANDSHAKE_TIME(
      WireLimits.STALLED_NANOS_MAX, Unit.NANOS, "A handshake, of TLS and of Forebay together."),
  HANDSHAKE_BYTES(
      WireLimits.HANDSHAKE_BYTES_MAX,
      Unit.BYTES,
      "Bytes that a peer sends before it is welcome, those of TLS included."),
  SILENCE(
      WireLimits.IDLE_NANOS_MAX,
      Unit.NANOS,
      "Silence of a client. Its connection is closed, and it dials again when it needs to."),
  STALLED_TRANSFER(
      WireLimits.STALLED_NANOS_MAX,
      Unit.NANOS,
      "A message that has begun to arrive, or that is being sent, without any progress."),
  SLOW_SENDER(
      WireLimits.BYTES_PER_SECOND_MIN,
      Unit.RATE,
      "Over each 30 s a message must arrive at this rate; the peer is closed, and the room for its"
          + " payload is free again."),
  SLOW_PAYLOADS(
      WireLimits.CROWDED_PAYLOAD_NANOS,
      Unit.NANOS,
      "Payloads of clients on their way take at most a quarter of a seat's memory. When others wait"
          + " for that room, the connection of a payload that takes longer than this is closed."),
  UNREAD_RECORDS(
      32L * 1024 * 1024,
      Unit.BYTES,
      "Bytes of records that a reader has asked for and not taken. Until it takes half of them, no"
          + " more of its requests are taken."),
  UNREAD_MAPS(
      64L * 1024 * 1024,
      Unit.BYTES,
      "Bytes queued for one peer of a manager. Beyond it, the peer is closed when there is a newer"
          + " map."),
  SLOW_READER(
      WireLimits.BYTES_PER_SECOND_MIN,
      Unit.RATE,
      "Over each 30 s a client must take its answers at this rate, or it is closed."),
  MALFORMED_FRAMES(
      0,
      Unit.NONE,
      "A frame that cannot be read, or comes out of turn, ends its connection. Fields have at most"
          + " 4 MiB, payloads 256 MiB."),
  PARTIAL_MESSAGES(
      WireLimits.LOOP_BODY_BYTES_MAX,
      Unit.BYTES,
      "Long messages of all clients of a seat that are partly received; the client that sends more"
          + " is closed."),
  UNREAD_ANSWERS(
      WireLimits.ANSWER_BYTES_MAX,
      Unit.BYTES,
      "Answers that a client has not read. Until it reads, no more of its requests are taken."),
  ALL_UNREAD_ANSWERS(
      WireLimits.LOOP_ANSWER_BYTES_MAX,
      Unit.BYTES,
      "The same of all clients of a seat. Beyond it, the client with most of them is closed."),
  QUEUED_BYTES(
      WireLimits.QUEUED_BYTES_MAX,
      Unit.BYTES,
      "Bytes queued for one peer, payloads included; beyond it the connection is closed."),
  REQUESTS_PER_CONNECTION(
      WireLimits.REQUESTS_MAX,
      Unit.COUNT,
      "Requests of a client's connection that have no answer yet. Further ones are refused as BUSY,"
          + " and the client tries again."),
  SESSIONS(64 * 1024, Unit.COUNT, "Sessions of a tree. More are refused as BUSY."),
  SESSIONS_PER_USER(
      4096,
      Unit.COUNT,
      "Sessions of one user in an instance, of its owner and root as many as sessions of the tree."
          + " More are refused as BUSY."),
  TREES(64 * 1024, Unit.COUNT, "Private trees of an instance. More are refused as NO_SPACE."),
  TREES_PER_USER(
      4096,
      Unit.COUNT,
      "Private trees of an instance that one user begins at a home; its owner and root are not"
          + " counted. More are refused as BUSY."),
  OPEN_FILES(
      64 * 1024, Unit.COUNT, "Files that one session has open; more are refused as NO_SPACE."),
  LOCKS(
      4096,
      Unit.COUNT,
      "Advisory locks of one file; 65,536 files of a tree have some, and 16,384 requests wait for"
          + " some. More are refused as NO_SPACE."),
  HELD_MESSAGES(
      10_000,
      Unit.COUNT,
      "Messages of a newer epoch than a seat's, which wait until it has the map; 32 MiB of them."
          + " Further ones are refused as UNAVAILABLE, and the client tries again."),
  CHANGES(
      64 * 1024,
      Unit.COUNT,
      "Changes of a group that its members do not have yet, or that wait for room in the log; 64 MiB"
          + " of them. More are refused as BUSY."),
  KEY_REQUESTS(
      4096,
      Unit.COUNT,
      "Reads at a seat that wait for the key by which it knows who may read. More are refused as"
          + " UNAVAILABLE, and the client tries again."),
  CHECKSUM_REQUESTS(
      64,
      Unit.COUNT,
      "Requests to verify records that wait at a seat, of 1,024 records each. More are refused as"
          + " BUSY."),
  BACKING_LOOKS(
      4096,
      Unit.COUNT,
      "Requests that wait until one directory of a backing store is listed. More are refused as"
          + " BUSY."),
  BACKING_READS(
      64L * 1024 * 1024,
      Unit.BYTES,
      "Bytes that the home of a group reads from backing stores for clients, and as many that it"
          + " reads into the buffer; a seat has 256 requests to a backing store. More are refused as"
          + " BUSY."),
  MAP(
      WireLimits.MAP_BYTES_MAX,
      Unit.BYTES,
      "The map, with all seats, groups and instances. Beyond it no instance is created: NO_SPACE."),
  INSTANCES_PER_USER(
      1024,
      Unit.COUNT,
      "Instances of one user other than root. All of them together may take a quarter of the room"
          + " that the map has. Those that were destroyed do not count. Instances of jobs that a batch"
          + " system begins are not refused. More are refused as NO_SPACE."),
  JOBS(
      10_000,
      Unit.COUNT,
      "Jobs that the manager knows; all their texts have 4 MiB at most. More are refused as"
          + " NO_SPACE."),
  JOBS_PER_USER(
      1024,
      Unit.COUNT,
      "Jobs that one user other than root has when it begins another one itself; more are refused"
          + " as NO_SPACE. Batch systems begin jobs as root."),
  DECISIONS(
      4096,
      Unit.COUNT,
      "Decisions of a manager that are not committed yet; 64 MiB of them where there are several"
          + " managers. More are refused as UNAVAILABLE."),
  LEASE_REQUESTS(
      4096,
      Unit.COUNT,
      "Requests that wait until a majority of the managers has confirmed the one that leads. More get"
          + " no lease, and the server asks again."),
  TOKENS(256, Unit.COUNT, "Tokens that have not expired. More are refused as BUSY."),
  CERTIFICATES(
      2500,
      Unit.COUNT,
      "Valid certificates of the cluster's own CA, 32 of one name. More are refused as BUSY."),
  NODES(
      16_384,
      Unit.COUNT,
      "Nodes whose agents report to a manager, with 2,048 mounts each. A node that is silent for 10"
          + " min makes room; more are refused as BUSY."),
  CAPABILITIES_PER_CONNECTION(
      16,
      Unit.COUNT,
      "Capabilities that a client shows on one connection; more are refused as BUSY."),
  CREDENTIAL_CHECKS(
      64,
      Unit.COUNT,
      "Credentials of MUNGE that a manager checks at the same time; more are refused as BUSY. Of one"
          + " connection, three may be refused."),
  SIGNATURES(
      64,
      Unit.COUNT,
      "Certificates that the CA of a manager signs at the same time; more are refused as BUSY."),
  LISTINGS(
      10_000,
      Unit.COUNT,
      "Entries of a page of a listing; a page also has 1 MiB at most. A client that asks for more"
          + " gets a shorter page, and asks again for the rest."),
  AGENT_CONNECTIONS(
      1024,
      Unit.COUNT,
      "Programs that an agent serves at the same time; 256 of one user that is no operator. More are"
          + " refused with a sentence. The manager adds up what the agents report."),
  AUDIT_LINES(
      8192,
      Unit.COUNT,
      "Lines of a process's audit log that wait to be written. More are lost, and a line with their"
          + " number takes their place. Each seat shows the count of its process."),
  REQUEST_FIELDS(
      0,
      Unit.NONE,
      "Lengths and counts in a request about names: a path 4,096 bytes, a name 255, a key 1,024, an"
          + " attribute 64 KiB, 16,384 pieces.");

  /** How the default is written. */
  private enum Unit {
    NONE,
    COUNT,
    BYTES,
    NANOS,
    RATE
  }

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;
  private static final long HOUR_NANOS = 60 * MINUTE_NANOS;

  private final long value;
  private final Unit unit;
  private final String sentence;

  Limit(long value, Unit unit, String sentence) {
    this.value = value;
    this.unit = unit;
    this.sentence = sentence;
  }

  /** All of them as a table for {@code docs/security.md}; a test compares the two. */
  public static String markdown() {
    StringBuilder table = new StringBuilder("| limit | default | what |\n|---|---|---|\n");
    for (Limit limit : values()) {
      table
          .append("| `")
          .append(limit.text())
          .append("` | ")
          .append(limit.bound())
          .append(" | ")
          .append(limit.sentence)
          .append(" |\n");
    }
    return table.toString();
  }

  /** Its name in status and documents. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its default, in bytes, nanoseconds, or pieces. */
  public long value() {
    return value;
  }

  /** Its default for people. */
  public String bound() {
    return switch (unit) {
      case NONE -> "none";
      case COUNT -> String.format(Locale.ROOT, "%,d", value);
      case BYTES -> bytes(value);
      case NANOS -> time(value);
      case RATE -> bytes(value) + "/s at least";
    };
  }

  private static String bytes(long bytes) {
    return bytes % MIB == 0 ? bytes / MIB + " MiB" : bytes / KIB + " KiB";
  }

  private static String time(long nanos) {
    if (nanos % HOUR_NANOS == 0) return nanos / HOUR_NANOS + " h";
    return nanos % MINUTE_NANOS == 0 ? nanos / MINUTE_NANOS + " min" : nanos / SECOND_NANOS + " s";
  }

  /** What is limited, and what happens beyond it. */
  public String sentence() {
    return sentence;
  }
}
