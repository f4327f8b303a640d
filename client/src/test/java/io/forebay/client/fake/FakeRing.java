// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A manager and seats that keep everything in shared maps: a ring without failures of its own. What
 * goes wrong is up to the test: it can answer in place of a seat, or hide seats.
 */
public final class FakeRing {
  /** Answers in place of a seat: null to let it, {@link #SILENCE} to say nothing. */
  public interface Meddler {
    Message answer(SeatId seat, Message request);
  }

  public static final Message SILENCE = new Replies.Failed(ErrorCode.NONE, "silence");

  private static final long CLUSTER = 0x466f7265L;

  private final List<SeatEntry> seats = new ArrayList<>();
  private final Map<GroupId, Group> groups = new TreeMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private final Map<GroupId, Map<RecordId, byte[]>> records = new HashMap<>();
  private final Map<Long, FakeTree> trees = new LinkedHashMap<>();
  private final Set<Connection> watchers = new LinkedHashSet<>();
  private final Set<Connection> connected = new LinkedHashSet<>();
  private final Map<SeatId, Network.Listener> listeners = new HashMap<>();
  private long epoch = 1;
  private Meddler meddler = (seat, request) -> null;
  private long creditBytes = 8 << 20;
  private int payloadBytesMax = 16 << 20;
  public final List<Message> received = new ArrayList<>();
  private int damaged;
  private Address manager;

  /** Puts about which a seat has said nothing yet: it still may. */
  public final List<Consumer<Message>> kept = new ArrayList<>();

  /** Listens with the manager and so many seats, each where the function says. */
  public void listen(int seatCount, Function<String, Network> hosts, String interfaceName)
      throws IOException {
    Address any = new Address.Inet(interfaceName, 0);
    manager = hosts.apply("manager").listen(any, this::welcome, new ManagerEnd()).address();
    for (int i = 1; i <= seatCount; i++) {
      String host = "host" + i;
      listenAt(hosts.apply(host), host, any);
    }
  }

  /** The manager listens there as well. */
  public void listenAsManager(Network network, Address at) throws IOException {
    network.listen(at, this::welcome, new ManagerEnd());
  }

  /** Adds a seat that listens there. */
  public void listenAt(Network network, String host, Address at) throws IOException {
    int number = seats.size() + 1;
    SeatId id = new SeatId(number);
    Network.Listener listener = network.listen(at, this::welcome, new SeatEnd(id));
    listeners.put(id, listener);
    List<String> addresses = List.of(listener.address().toString());
    seats.add(
        new SeatEntry(
            id, "server" + number, host, number, number, 1, 1, addresses, 1, 1, 1, false));
  }

  /** Where those are who are connected to seats. */
  public List<String> remotes() {
    return connected.stream().filter(Connection::isOpen).map(Connection::remote).toList();
  }

  /** The manager says something to all its peers, unasked. */
  public void tellAll(Message message) {
    for (Connection each : watchers) each.send(0, message);
  }

  public String uri(String instance) {
    return "forebay://" + manager + "/" + instance;
  }

  public Address manager() {
    return manager;
  }

  public void meddle(Meddler with) {
    meddler = with;
  }

  public void credit(long bytes, int payloadMax) {
    creditBytes = bytes;
    payloadBytesMax = payloadMax;
  }

  /** Adds an instance over all seats. */
  public Instance addInstance(
      String name, int copies, long capacityBytes, Instance.Access access, PlacementSpec spec) {
    return addInstance(name, copies, capacityBytes, access, spec, DrainSpec.NONE);
  }

  /** The same with a backing store. */
  public Instance addInstance(
      String name,
      int copies,
      long capacityBytes,
      Instance.Access access,
      PlacementSpec spec,
      DrainSpec drain) {
    List<SeatId> all = seats.stream().map(SeatEntry::id).toList();
    addGroups(all, copies);
    GroupId root = GroupId.of(all.get(0), copies);
    Instance instance =
        new Instance(
            instances.size() + 1,
            name,
            0,
            0,
            Instance.Lifetime.PERSISTENT,
            access,
            capacityBytes,
            copies,
            false,
            Instance.WhenDegraded.CONTINUE,
            spec,
            all,
            root,
            drain,
            "",
            Tenancy.OPEN,
            Allocation.NONE);
    instances.add(instance);
    changed();
    return instance;
  }

  private void addGroups(List<SeatId> all, int copies) {
    for (int i = 0; i < all.size(); i++) {
      List<Group.Member> members = new ArrayList<>();
      for (int copy = 0; copy < copies; copy++) {
        members.add(new Group.Member(all.get((i + copy) % all.size()), 1, true));
      }
      GroupId id = GroupId.of(all.get(i), copies);
      groups.putIfAbsent(id, new Group(id, 1, members));
    }
  }

  /** Servers have joined or left: new records of all instances go to these seats. */
  public void spread(List<SeatId> over) {
    for (Instance instance : instances) addGroups(over, instance.copies());
    instances.replaceAll(instance -> instance.withSeats(over));
    changed();
  }

  /** The home of every group comes behind its other members. */
  public void rotate() {
    for (Group group : List.copyOf(groups.values())) {
      List<Group.Member> members = new ArrayList<>(group.members());
      members.add(members.remove(0));
      groups.put(group.id(), new Group(group.id(), group.epoch() + 1, members));
    }
    changed();
  }

  /** The first member of every group that the seat leads goes; the next one is home. */
  public void removeHome(SeatId seat) {
    for (Group group : List.copyOf(groups.values())) {
      if (!group.home().equals(seat)) continue;
      List<Group.Member> rest = group.members().subList(1, group.members().size());
      groups.put(group.id(), new Group(group.id(), group.epoch() + 1, rest));
    }
    changed();
  }

  /** Lets nobody in any more; connections must be cut by the network. */
  public void close(SeatId seat) {
    listeners.get(seat).close();
  }

  private void changed() {
    epoch++;
    for (Connection each : watchers) each.send(0, mapIs());
  }

  public RingMap map() {
    return new RingMap(CLUSTER, 1, epoch, seats, List.copyOf(groups.values()), instances);
  }

  private Maps.MapIs mapIs() {
    return new Maps.MapIs(epoch, RingMapCodec.write(map()));
  }

  FakeTree tree(Instance instance, int tree) {
    long key = ((long) instance.id() << 32) | tree;
    return trees.computeIfAbsent(
        key,
        k -> {
          GroupId group = tree == 0 ? instance.rootGroup() : instance.treeGroup("node" + tree);
          return new FakeTree(tree, group, instance.capacityBytes());
        });
  }

  /** The tree everybody shares. */
  FakeTree tree(String instance) {
    return tree(map().instance(instance), 0);
  }

  public int changesDone(String instance) {
    return tree(instance).changesDone;
  }

  public int publishes(String instance) {
    return tree(instance).publishes;
  }

  public int sessions(String instance) {
    return tree(instance).sessions.size();
  }

  /** The session is over, as if nothing had been heard of it. */
  public void expireSessions(String instance) {
    tree(instance).sessions.clear();
  }

  /** The file is gone as a whole, as one without a name that nobody has open. */
  public void forgetFile(String instance, String path) {
    FakeTree tree = tree(instance);
    tree.forget(tree.at(path));
  }

  public boolean isOpen(String instance, long file) {
    Map<Long, Long> by = tree(instance).opened.get(file);
    return by != null && !by.isEmpty();
  }

  public int recordCount() {
    return records.values().stream().mapToInt(Map::size).sum();
  }

  /** So many of the next payloads that are read do not match their checksums. */
  public void damageOnTheWay(int payloads) {
    damaged = payloads;
  }

  public void damageAll() {
    for (Map<RecordId, byte[]> group : records.values()) group.clear();
  }

  /** The backing store has the file as it is now. */
  public void drain(String instance, String path) {
    FakeTree tree = tree(instance);
    FakeNode file = tree.at(path);
    byte[] bytes =
        Arrays.copyOf(tree.ledger.read(file, 0, (int) file.sizeBytes), (int) file.sizeBytes);
    addRecords(file, bytes);
    tree.ledger.store(file, bytes);
  }

  /** The same, and the buffer lets go of it. */
  public void release(String instance, String path) {
    drain(instance, path);
    FakeTree tree = tree(instance);
    tree.ledger.release(tree.at(path));
  }

  /** The request to drain a file is forgotten, as by a home that has taken its tree over. */
  public void forgetDrain(String instance, String path) {
    FakeTree tree = tree(instance);
    tree.ledger.forget(tree.at(path));
  }

  /** Draining the file has failed once more. */
  public void failDrain(String instance, String path, String why) {
    FakeTree tree = tree(instance);
    tree.ledger.failed(tree.at(path), why);
  }

  /** Nothing is drained by itself from now on. */
  public void drainOnRequest(String instance) {
    tree(instance).ledger.outlook = Names.DrainOutlook.NEEDS_REQUEST;
  }

  public void trouble(String instance, String why) {
    tree(instance).ledger.trouble = why;
  }

  private void addRecords(FakeNode file, byte[] bytes) {
    for (Names.Run run : file.runs.values()) {
      byte[] record = records.get(run.group()).get(run.record());
      System.arraycopy(record, run.recordOffset(), bytes, (int) run.offset(), run.lengthBytes());
    }
  }

  private Handshake.Answer welcome(Handshake.Hello hello) {
    return new Handshake.Welcome(1, CLUSTER, creditBytes, payloadBytesMax);
  }

  private final class ManagerEnd implements Handler {
    @Override
    public void opened(Connection connection) {
      watchers.add(connection);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      received.add(message);
      if (message instanceof Maps.GetMap get) {
        connection.send(
            request,
            get.haveEpoch() >= epoch
                ? new Maps.MapIs(epoch, io.forebay.base.Bytes.EMPTY)
                : mapIs());
      } else if (message instanceof Maps.CreateInstance create) {
        Instance made =
            addInstance(
                create.name(),
                create.copies(),
                create.capacityBytes(),
                Instance.Access.valueOf(create.access().toUpperCase(java.util.Locale.ROOT)),
                new PlacementSpec(
                    PlacementSpec.Kind.valueOf(
                        create.placement().toUpperCase(java.util.Locale.ROOT)),
                    create.stripeBytes(),
                    create.stripeWidth()),
                new DrainSpec(
                    create.backing(), create.drain(), create.keep(), create.over(), false));
        connection.send(request, new Maps.InstanceMade(made.id(), epoch));
      } else {
        connection.send(request, new Replies.Failed(ErrorCode.MALFORMED, "not here"));
      }
    }

    @Override
    public Landing arriving(Connection connection, long request, Message message, int bytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      watchers.remove(connection);
    }
  }

  private final class SeatEnd implements Handler {
    private final SeatId seat;

    SeatEnd(SeatId seat) {
      this.seat = seat;
    }

    @Override
    public void opened(Connection connection) {
      connected.add(connection);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      received.add(message);
      Message instead = meddler.answer(seat, message);
      if (SILENCE.equals(instead)) return;
      if (instead != null) {
        connection.send(request, instead);
      } else if (message instanceof Maps.GetMap) {
        connection.send(request, mapIs());
      } else if (message instanceof Data.Get get) {
        get(connection, request, get);
      } else if (message instanceof Data.GetBacked get) {
        Message refusal = refusal(get.treeGroup(), get.epoch());
        if (refusal != null) connection.send(request, refusal);
        else getBacked(connection, request, get);
      } else if (message instanceof Names.Request asked) {
        Message refusal = refusal(asked.group(), asked.epoch());
        connection.send(request, refusal != null ? refusal : names(asked));
      }
    }

    private Message refusal(GroupId id, long ofEpoch) {
      Group group = groups.get(id);
      if (group == null || !group.home().equals(seat)) {
        return new Replies.Failed(ErrorCode.NOT_HOME, seat + " is not the home of " + id);
      }
      return ofEpoch < group.epoch()
          ? new Replies.Failed(ErrorCode.STALE_EPOCH, id + " is at epoch " + group.epoch())
          : null;
    }

    private Message names(Names.Request asked) {
      Instance instance = map().instance(asked.instance());
      if (asked.what() instanceof Names.BeginSession begin
          && asked.tree() == 0
          && instance.access() == Instance.Access.PRIVATE) {
        int tree = 1 + Math.floorMod(begin.node().hashCode(), 1000);
        return new Names.SessionIs(tree, instance.treeGroup("node" + tree), tree);
      }
      return tree(instance, asked.tree()).handle(asked);
    }

    private void get(Connection connection, long request, Data.Get get) {
      Group group = groups.get(get.group());
      byte[] record = records.getOrDefault(get.group(), Map.of()).get(get.record());
      if (group == null || group.indexOf(seat) < 0 || record == null) {
        connection.send(request, new Replies.Failed(ErrorCode.GONE, "no " + get.record()));
        return;
      }
      got(connection, request, ByteBuffer.wrap(record, get.recordOffset(), get.lengthBytes()));
    }

    private void getBacked(Connection connection, long request, Data.GetBacked get) {
      FakeTree tree = tree(map().instance(get.instance()), get.tree());
      byte[] bytes = tree.ledger.read(tree.node(get.file()), get.offset(), get.lengthBytes());
      if (bytes.length > 0) got(connection, request, ByteBuffer.wrap(bytes));
      else connection.send(request, new Data.Got(Checksums.of(new int[0])));
    }

    private void got(Connection connection, long request, ByteBuffer content) {
      ByteBuffer bytes = content.slice();
      int[] checksums = BlockChecksums.of(bytes);
      if (damaged > 0) {
        damaged--;
        checksums[0]++;
      }
      connection.send(request, new Data.Got(Checksums.of(checksums)), Payload.of(bytes));
    }

    @Override
    public Landing arriving(Connection connection, long request, Message message, int bytes) {
      received.add(message);
      Data.Put put = (Data.Put) message;
      Message instead = meddler.answer(seat, message);
      Message refusal = instead != null ? instead : refusal(put.group(), put.epoch());
      if (refusal != null) {
        if (SILENCE.equals(refusal)) kept.add(with -> connection.send(request, with));
        else connection.send(request, refusal);
        return Landing.DISCARD;
      }
      byte[] target = new byte[bytes];
      return new Landing.Into(
          ByteBuffer.wrap(target),
          new Landing.Arrival() {
            @Override
            public void filled() {
              boolean sound =
                  BlockChecksums.firstMismatch(ByteBuffer.wrap(target), put.checksums().toArray())
                      < 0;
              if (sound) {
                records
                    .computeIfAbsent(put.group(), id -> new HashMap<>())
                    .put(put.record(), target);
              }
              connection.send(
                  request,
                  sound
                      ? new Data.PutDone(put.record())
                      : new Replies.Failed(ErrorCode.CORRUPT, "damaged"));
            }

            @Override
            public void aborted() {}
          });
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }
}
