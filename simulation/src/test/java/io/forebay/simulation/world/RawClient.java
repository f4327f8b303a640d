// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says to a simulated cluster exactly what a test wants said, and notes what comes back. */
public final class RawClient implements Handler {
  static final long SECOND = 1_000_000_000L;
  public static final long SECRET = 77;
  public static final long SESSION = SessionSecret.sessionOf(SECRET);

  private final World world;
  private final Network network;
  private final Handshake.Role role;
  private final Map<String, Connection> connections = new HashMap<>();
  private final Map<Long, Message> replies = new HashMap<>();
  private final Map<Long, ByteBuffer> payloads = new HashMap<>();
  public final List<Message> unasked = new ArrayList<>();
  private long lastRequest;
  private long lastOp;

  RawClient(World world) {
    this(world, Handshake.Role.CLIENT);
  }

  /** The same under another role. */
  public RawClient(World world, Handshake.Role role) {
    this(world, role, "raw");
  }

  /** The same on another host. */
  public RawClient(World world, Handshake.Role role, String host) {
    this.world = world;
    this.role = role;
    this.network = world.network().at(host);
  }

  /** A cluster that serves, with an instance of that name. */
  public static RawClient withInstance(World world, int copies, boolean forced) {
    return withInstance(world, copies, forced, "shared");
  }

  /** The same with an access of that name. */
  public static RawClient withInstance(World world, int copies, boolean forced, String access) {
    return withInstance(world, copies, forced, access, "continue", "ketama");
  }

  public static RawClient withInstance(
      World world,
      int copies,
      boolean forced,
      String access,
      String whenDegraded,
      String placement) {
    world.start();
    if (!world.runUntil(() -> world.map() != null, 10 * SECOND)) {
      throw new IllegalStateException("no ring");
    }
    RawClient client = new RawClient(world);
    client.makeInstance(1, "i", copies, forced, access, whenDegraded, placement);
    world.runFor(SECOND);
    return client;
  }

  /**
   * Another instance.
   *
   * @param op not used before
   */
  public void makeInstance(
      long op,
      String name,
      int copies,
      boolean forced,
      String access,
      String whenDegraded,
      String placement) {
    make(op, name, copies, forced, access, whenDegraded, placement, Identity.root(), "everyone");
  }

  /** Another instance of two copies, which belongs to a user. */
  public void makeInstance(long op, String name, Identity owner, String permit) {
    make(op, name, 2, false, "shared", "continue", "ketama", owner, permit);
  }

  private void make(
      long op,
      String name,
      int copies,
      boolean forced,
      String access,
      String whenDegraded,
      String placement,
      Identity owner,
      String permit) {
    Message made =
        call(
            "manager",
            Lane.CONTROL,
            new Maps.CreateInstance(
                op,
                name,
                owner,
                "persistent",
                access,
                0,
                copies,
                forced,
                whenDegraded,
                placement,
                1 << 20,
                0,
                "",
                "",
                "",
                false,
                "",
                permit,
                "squash",
                0,
                ""));
    if (!(made instanceof Maps.InstanceMade)) throw new IllegalStateException("" + made);
  }

  public RingMap map() {
    RingMap map = world.map();
    if (map == null) throw new IllegalStateException("no map");
    return map;
  }

  public Instance instance() {
    return instance("i");
  }

  public Instance instance(String name) {
    Instance instance = map().instance(name);
    if (instance == null) throw new IllegalStateException("no instance " + name);
    return instance;
  }

  /** Looks up the root of an instance as a user, at its home. */
  public Message lookUp(Instance instance, Identity who) {
    GroupId root = instance.rootGroup();
    Names.Lookup question = new Names.Lookup(Names.ROOT, "", true);
    Names.Request request =
        new Names.Request(
            root, group(root).epoch(), instance.id(), 0, SESSION, 0, 0, 0, true, who, question);
    return call(homeOf(root), Lane.CONTROL, request);
  }

  public Group group(GroupId id) {
    Group group = map().group(id);
    if (group == null) throw new IllegalStateException("no " + id);
    return group;
  }

  /** The host of a group's home. */
  public String homeOf(GroupId id) {
    return hostOf(group(id), 0);
  }

  public String hostOf(Group group, int place) {
    return map().seat(group.members().get(place).seat()).server();
  }

  public long send(String host, Lane lane, Message message) {
    long request = ++lastRequest;
    connection(host, lane).send(request, message);
    return request;
  }

  public long sendPayload(String host, Message message, ByteBuffer bytes) {
    long request = ++lastRequest;
    connection(host, Lane.INGEST).send(request, message, Payload.of(bytes));
    return request;
  }

  /** Sends a record to a group's home, in the epoch given. */
  public long put(
      GroupId group, long epoch, RecordId record, ByteBuffer bytes, Checksums checksums) {
    return putAs(put(group, epoch, record, SECRET, checksums), bytes);
  }

  private Data.Put put(
      GroupId group, long epoch, RecordId record, long secret, Checksums checksums) {
    return new Data.Put(
        group,
        epoch,
        record,
        new FileId(instance().id(), Names.inTree(0, 1000)),
        0,
        instance().forced(),
        secret,
        checksums);
  }

  /** Makes a file of one record in a group, and publishes it; gives the file's number. */
  public long publishFile(String name, GroupId group, RecordId record, int length, boolean close) {
    Names.NodeIs file =
        (Names.NodeIs)
            names(new Names.Open(Names.ROOT, name, true, true, true, false, false, 0644));
    long number = file.attributes().number();
    ByteBuffer bytes = content(record, length);
    await(
        putAs(
            new Data.Put(
                group,
                group(group).epoch(),
                record,
                new FileId(instance().id(), number),
                0,
                instance().forced(),
                SECRET,
                Checksums.of(BlockChecksums.of(bytes))),
            bytes));
    Names.Piece piece = new Names.Piece(0, length, group, record.sequence());
    names(new Names.Publish(number, false, close, List.of(piece)));
    return number;
  }

  public long putAs(Data.Put message, ByteBuffer bytes) {
    long request = ++lastRequest;
    connection(homeOf(message.group()), Lane.INGEST).send(request, message, Payload.of(bytes));
    return request;
  }

  public long put(GroupId group, RecordId record, int length) {
    return put(group, record, length, SECRET);
  }

  /** The same with the secret of another session. */
  public long put(GroupId group, RecordId record, int length, long secret) {
    ByteBuffer bytes = content(record, length);
    Checksums checksums = Checksums.of(BlockChecksums.of(bytes));
    return putAs(put(group, group(group).epoch(), record, secret, checksums), bytes);
  }

  public static ByteBuffer content(RecordId record, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) bytes.put(i, (byte) (record.sequence() * 31 + i));
    return bytes;
  }

  public @Nullable Message reply(long request) {
    return replies.get(request);
  }

  public @Nullable ByteBuffer payload(long request) {
    return payloads.get(request);
  }

  /** Waits for an answer, ten seconds at most. */
  public Message await(long request) {
    if (!world.runUntil(() -> replies.containsKey(request), 10 * SECOND)) {
      throw new IllegalStateException(
          "no answer\n" + String.join("\n", world.trace().lines().reversed().subList(0, 30)));
    }
    return replies.get(request);
  }

  public Message call(String host, Lane lane, Message message) {
    return await(send(host, lane, message));
  }

  public long sendNames(long session, Names.Op op) {
    return sendNames(session, Identity.root(), false, op);
  }

  /**
   * The same for another user.
   *
   * @param openTold whether the home has heard of all that the session has open
   */
  public long sendNames(long session, Identity who, boolean openTold, Names.Op op) {
    GroupId root = instance().rootGroup();
    return send(
        homeOf(root),
        Lane.CONTROL,
        new Names.Request(
            root,
            group(root).epoch(),
            instance().id(),
            0,
            session,
            op instanceof Names.Change ? ++lastOp : 0,
            0,
            0,
            openTold,
            who,
            op));
  }

  /** Sends the last change again, as a client does that got no answer. */
  public Message namesAgain(Names.Change change) {
    lastOp--;
    return names(change);
  }

  /** The number of the last change. */
  public long lastOp() {
    return lastOp;
  }

  public Message names(Names.Op op) {
    return await(sendNames(SESSION, op));
  }

  private Connection connection(String host, Lane lane) {
    Connection known = connections.get(host + lane);
    if (known != null && known.isOpen()) return known;
    Address address =
        host.equals("manager") ? World.MANAGER_ADDRESS : new Address.Inet(host, SeatNode.PORT);
    Connection dialled =
        network.connect(address, Handshake.Hello.of(role, lane, 0, "raw", SESSION), this);
    connections.put(host + lane, dialled);
    if (!world.runUntil(dialled::isOpen, 10 * SECOND)) {
      throw new IllegalStateException("cannot reach " + host);
    }
    return dialled;
  }

  @Override
  public void opened(Connection connection) {}

  @Override
  public void received(Connection connection, long request, Message message) {
    if (request == 0) unasked.add(message);
    else replies.put(request, message);
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    ByteBuffer target = ByteBuffer.allocate(payloadBytes);
    return new Landing.Into(
        target,
        new Landing.Arrival() {
          @Override
          public void filled() {
            replies.put(request, message);
            payloads.put(request, target.clear());
          }

          @Override
          public void aborted() {}
        });
  }

  @Override
  public void closed(Connection connection, String reason) {}
}
