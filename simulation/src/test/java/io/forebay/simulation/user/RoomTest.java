// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.OpenFile;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.disturbance.Killer;
import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.RecordWalk;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Room comes back, whoever died meanwhile: in the end seats hold what lives and nothing else. */
class RoomTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Identity ROOT = Identity.root();
  private static final int LENGTH = 60_000;
  private static final int FILES = 5;
  private static final int KEYS = 4;
  private static final int ROUNDS = 150;

  /** A program that replaces the same few files and pairs over and over. */
  private static final class Replacing {
    final LoneClient client;
    final ClientCore core;
    final PairsCore pairs;
    int round;

    Replacing(World world, String host) {
      client = new LoneClient(world, host);
      core = client.start("i");
      client.get(core.start());
      pairs = client.get(core.pairs());
    }

    CompletableFuture<Void> next() {
      round++;
      return round % 3 == 0 ? putPair() : replaceFile();
    }

    private CompletableFuture<Void> replaceFile() {
      String name = client.host() + "-" + round % FILES;
      return core.open(
              ROOT,
              root -> new Names.Open(root, name + ".part", true, true, true, false, true, 0644))
          .thenCompose(this::fill)
          .thenCompose(
              written ->
                  core.change(
                      ROOT,
                      root -> new Names.Rename(root, name + ".part", root, name, false, false),
                      Replies.Done.class))
          .thenApply(done -> null);
    }

    private CompletableFuture<Void> fill(OpenFile file) {
      return file.write(file.layout().cut(bytes(), 0), 0, false)
          .acknowledged()
          .handle((kept, failure) -> null)
          .thenCompose(ended -> file.close());
    }

    private CompletableFuture<Void> putPair() {
      return pairs.begin(ROOT, client.host() + "-" + round % KEYS).thenCompose(this::fill);
    }

    private CompletableFuture<Void> fill(PairUpload upload) {
      upload.write(upload.layout().cut(bytes(), 0));
      return upload.finish();
    }

    private static ByteBuffer bytes() {
      return ByteBuffer.allocate(LENGTH);
    }
  }

  private static <M extends Message> M ask(
      World world, RawClient client, Names.Op op, Class<M> expected) {
    Message answer = client.names(op);
    // Members become current again, and homes change, meanwhile.
    for (int i = 0; i < 100 && answer instanceof Replies.Failed; i++) {
      world.runFor(SECOND / 10);
      answer = client.names(op);
    }
    return expected.cast(answer);
  }

  /** All records that files and pairs consist of, each with its group. */
  private static Map<RecordId, GroupId> living(World world, RawClient client) {
    Map<RecordId, GroupId> living = new TreeMap<>();
    Names.Listing files =
        ask(world, client, new Names.ListDirectory(Names.ROOT, "", "", 1000), Names.Listing.class);
    for (Names.NamedNode each : files.entries()) {
      long number = each.attributes().number();
      Names.RunsAre runs =
          ask(
              world,
              client,
              new Names.FindRuns(number, 0, Long.MAX_VALUE, 1000),
              Names.RunsAre.class);
      for (Names.Run run : runs.runs()) living.put(run.record(), run.group());
    }
    Names.PairsAre pairs =
        ask(world, client, new Names.ListPairs("", "", 1000), Names.PairsAre.class);
    for (Names.NamedPair each : pairs.pairs()) {
      Names.PairIs pair =
          ask(world, client, new Names.GetPair(each.key(), 1000), Names.PairIs.class);
      for (Names.Run run : pair.runs().runs()) living.put(run.record(), run.group());
    }
    return living;
  }

  /** What each seat holds beyond what lives, and what it lacks of it. */
  private static Map<String, Set<RecordId>> differences(World world, RawClient client) {
    Map<RecordId, GroupId> living = living(world, client);
    RingMap map = world.map();
    Map<String, Set<RecordId>> differences = new TreeMap<>();
    for (SeatEntry seat : map.seats()) {
      TreeSet<RecordId> wanted = new TreeSet<>();
      living.forEach(
          (record, id) -> {
            Group group = map.group(id);
            if (group.indexOf(seat.id()) >= 0) wanted.add(record);
          });
      TreeSet<RecordId> surplus = new TreeSet<>();
      RecordWalk walk = world.seatAt(seat.server()).store().walk();
      while (walk.next((record, file, group, bytes) -> surplus.add(record))) {}
      TreeSet<RecordId> lacking = new TreeSet<>(wanted);
      lacking.removeAll(surplus);
      surplus.removeAll(wanted);
      if (!surplus.isEmpty()) differences.put(seat.server() + " too many", surplus);
      if (!lacking.isEmpty()) differences.put(seat.server() + " lacks", lacking);
    }
    return differences;
  }

  /** Whether they are gone soon, while nobody does anything. */
  private static void requireOnlyLiving(World world, RawClient client, long withinNanos) {
    ask(world, client, new Names.BeginSession("raw", 6000 * SECOND), Names.SessionIs.class);
    long end = world.nanos() + withinNanos;
    while (!differences(world, client).isEmpty() && world.nanos() < end) world.runFor(SECOND);
    assertThat(differences(world, client)).isEmpty();
  }

  private static RawClient rawClient(World world) {
    return RawClient.withInstance(world, 2, false);
  }

  private static SeatNode homeOf(World world, GroupId group) {
    RingMap map = world.map();
    return world.seatAt(map.seat(map.group(group).home()).server());
  }

  @Test
  void replacedFilesGoSoonAfterTheHomeOfTheirNamesDied() {
    World world = new World(WorldOptions.CALM.withSeats(4, 2), 61);
    RawClient raw = rawClient(world);
    Replacing program = new Replacing(world, "client-a");
    for (int i = 0; i < 20; i++) program.client.get(program.next());
    SeatNode home = homeOf(world, raw.instance().rootGroup());
    home.kill();
    for (int i = 0; i < 20; i++) program.client.get(program.next());
    home.start();
    for (int i = 0; i < 20; i++) program.client.get(program.next());
    requireOnlyLiving(world, raw, 15 * SECOND);
  }

  /** The home of an instance's list of trees is asked first, and tells where the tree is. */
  @Test
  void garbageOfPrivateTreesIsFoundToo() {
    World world = new World(WorldOptions.CALM.withSeats(4, 2), 62);
    RawClient raw = RawClient.withInstance(world, 2, false, "private");
    Replacing program = new Replacing(world, "client-a");
    for (int i = 0; i < 20; i++) program.client.get(program.next());
    // What was never put through a client belongs to a session that nobody knows.
    GroupId group = GroupId.of(world.map().seats().getFirst().id(), 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    ByteBuffer bytes = RawClient.content(record, LENGTH);
    Data.Put put =
        new Data.Put(
            group,
            raw.group(group).epoch(),
            record,
            new FileId(raw.instance().id(), Names.inTree(1, 1000)),
            0,
            false,
            RawClient.SECRET,
            Checksums.of(BlockChecksums.of(bytes)));
    assertThat(raw.await(raw.putAs(put, bytes))).isInstanceOf(Data.PutDone.class);
    SeatNode home = homeOf(world, group);
    assertThat(home.store().present(record)).isTrue();
    SeatNode other =
        world.seats().stream().filter(seat -> !seat.equals(home)).findFirst().orElseThrow();
    other.kill();
    other.start();
    assertThat(world.runUntil(() -> !home.store().present(record), 30 * SECOND)).isTrue();
    for (int i = 0; i < 20; i++) program.client.get(program.next());
  }

  @Test
  void nothingIsAskedTwiceWhileNothingHappens() {
    World world = new World(WorldOptions.CALM.withSeats(4, 2), 63);
    rawClient(world);
    Replacing program = new Replacing(world, "client-a");
    for (int i = 0; i < 60; i++) program.client.get(program.next());
    world.runFor(330 * SECOND);
    int[] questions = {0};
    world.trace().follow(line -> questions[0] += line.contains(" AskDead") ? 1 : 0);
    world.runFor(310 * SECOND);
    assertThat(questions[0]).as("one per seat in five minutes").isBetween(4, 8);
  }

  @Test
  void onlyWhatLivesStaysAfterManyDeaths() {
    SeededRuns.each(
        Integer.getInteger("forebay.seeds", 1),
        seed -> {
          World world = new World(WorldOptions.ROUGH.withSeats(4, 2), seed);
          RawClient raw = rawClient(world);
          List<Replacing> programs =
              List.of(new Replacing(world, "client-a"), new Replacing(world, "client-b"));
          Killer killer =
              new Killer(world, List::of, new FaultCounts(), new SplittableRandom(seed));
          killer.alsoForLong();
          for (Replacing each : programs) goOn(each);
          long end = world.nanos() + 600 * SECOND;
          world.runUntil(
              () -> {
                killer.act();
                return world.nanos() > end || programs.stream().allMatch(p -> p.round >= ROUNDS);
              },
              600 * SECOND);
          for (Replacing each : programs) each.round = ROUNDS;
          killer.stop();
          world.seats().stream().filter(seat -> !seat.isAlive()).forEach(SeatNode::start);
          world.runFor(90 * SECOND);
          // What a client gave up it says with its next change.
          for (Replacing each : programs) each.client.get(each.next());
          requireOnlyLiving(world, raw, 120 * SECOND);
        });
  }

  private static void goOn(Replacing program) {
    if (program.round >= ROUNDS) return;
    CompletableFuture<Void> _ = program.next().whenComplete((done, failure) -> goOn(program));
  }
}
