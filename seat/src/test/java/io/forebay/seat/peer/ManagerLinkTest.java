// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManagerLinkTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long STEP = SECOND / 20;
  private static final Address MANAGER = new Address.Inet("there", 7070);

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final MemoryNetwork network =
      new MemoryNetwork(timers, new Random(1), new MemoryOptions(1, 1, 0, 0));
  private final List<String> told = new ArrayList<>();
  private boolean reports;

  private final ManagerLink.Owner seat =
      new ManagerLink.Owner() {
        @Override
        public Maps.Init init() {
          return new Maps.Init(
              0, "server", 1, "here", 0, new Maps.SeatOffer(1, 1, 1, 1, List.of(), 1, 1, 1));
        }

        @Override
        public Maps.@Nullable SeatReport report() {
          return reports ? new Maps.SeatReport(new SeatId(1), 1, 1) : null;
        }

        @Override
        public void trustArrived(Access.TrustIs trust) {}

        @Override
        public boolean isManager(Connection connection) {
          return true;
        }

        @Override
        public void keysArrived(Access.KeysAre keys) {}

        @Override
        public void mapArrived(Maps.MapIs map) {
          told.add("taken");
        }

        @Override
        public void refused(String reason) {
          told.add(reason);
        }

        @Override
        public void unmanaged(String sentence) {
          told.add(sentence);
        }
      };

  @Test
  void aServerThatFindsNoManagerSaysSoEveryFewSecondsWithTheAddress() {
    ManagerLink link = link();
    link.start();
    run(ProtocolTimes.DEFAULT.manager().unmanagedNanos() - STEP);
    assertThat(told).as("a manager may be started again").isEmpty();
    run(60 * SECOND);
    assertThat(told).hasSizeBetween(6, 13);
    assertThat(told).allMatch(sentence -> sentence.startsWith("no manager at there:7070 for "));
    link.close("over");
    told.clear();
    run(60 * SECOND);
    assertThat(told).isEmpty();
  }

  /** A server that was wiped joins again before its former seat counts as away. */
  @Test
  void aSeatThatIsRefusedAsksAgainUntilItIsTakenAndTellsEachReasonOnce() throws IOException {
    FakeManager manager = new FakeManager();
    network.at("there").listen(MANAGER, hello -> new Handshake.Welcome(1, 1, 1, 1), manager);
    ManagerLink link = link();
    link.start();
    manager.refusal = "the former seat is not away";
    run(20 * SECOND);
    assertThat(told).containsExactly("the former seat is not away");
    assertThat(manager.asked).as("every two seconds").isBetween(8, 20);
    manager.refusal = "the ring is full";
    run(10 * SECOND);
    assertThat(told).containsExactly("the former seat is not away", "the ring is full");
    told.clear();
    manager.refusal = "";
    run(3 * SECOND);
    assertThat(told).containsExactly("taken");
    int before = manager.asked;
    run(20 * SECOND);
    assertThat(manager.asked).as("a seat that was taken asks no more").isEqualTo(before);
    link.close("over");
  }

  /** One that does not lead names the one that does; it need not be in the list. */
  @Test
  void aSeatGoesToTheManagerThatLeads() throws IOException {
    FakeManager follower = listen("there");
    follower.refuse(ErrorCode.UNAVAILABLE, "the manager does not lead");
    FakeManager leader = listen("elsewhere");
    ManagerLink link = link();
    link.start();
    run(SECOND);
    assertThat(leader.asked).isZero();
    follower.connection.send(0, new Maps.ManagersAre(false, "elsewhere:7070", List.of()));
    run(SECOND);
    assertThat(told).contains("taken");
    assertThat(leader.asked).isPositive();
    link.close("over");
  }

  /** The settings of a server may name one of them only, or one that was replaced since. */
  @Test
  void aSeatFindsManagersThatAnotherOneHasNamed() throws IOException {
    FakeManager only = listen("there");
    FakeManager other = listen("elsewhere");
    ManagerLink link = link();
    link.start();
    run(SECOND);
    assertThat(only.asked).isPositive();
    List<String> both = List.of(MANAGER.toString(), "elsewhere:7070");
    only.connection.send(0, new Maps.ManagersAre(false, "", both));
    run(SECOND);
    assertThat(other.asked).as("the first one leads").isZero();
    network.kill("there");
    run(5 * SECOND);
    assertThat(other.asked).isPositive();
    link.close("over");
  }

  /** A follower names the leader that it last heard of until another one is elected. */
  @Test
  void aSeatWaitsForTheNextLeaderAtAManagerThatNamesTheLastOne() throws IOException {
    FakeManager follower = listen("there");
    follower.refuse(ErrorCode.UNAVAILABLE, "the manager does not lead");
    FakeManager next = listen("elsewhere");
    ManagerLink link = link();
    link.start();
    run(SECOND / 4);
    String gone = "gone:7070";
    List<String> all = List.of(MANAGER.toString(), gone);
    follower.connection.send(0, new Maps.ManagersAre(false, gone, all));
    run(SECOND / 4);
    int opened = follower.opened;
    for (int i = 0; i < 30 && follower.opened == opened; i++) run(SECOND / 10);
    follower.connection.send(0, new Maps.ManagersAre(false, gone, all));
    run(SECOND / 4);
    assertThat(follower.opened).as("it is not left for one that is gone").isEqualTo(opened + 1);
    assertThat(next.asked).isZero();
    follower.connection.send(0, new Maps.ManagersAre(false, "elsewhere:7070", all));
    run(SECOND / 2);
    assertThat(told).contains("taken");
    assertThat(next.asked).isPositive();
    link.close("over");
  }

  /** It has refused the seat before, and would be asked again only after a pause. */
  @Test
  void aManagerThatBeginsToLeadIsAskedAtOnceAndNotLeftForItsRefusals() throws IOException {
    FakeManager manager = listen("there");
    manager.refuse(ErrorCode.UNAVAILABLE, "the manager does not lead");
    ManagerLink link = link();
    link.start();
    run(10 * SECOND);
    int before = manager.asked;
    manager.connection.send(0, new Maps.ManagersAre(true, "", List.of("elsewhere:7070")));
    run(4 * STEP);
    assertThat(manager.asked).isEqualTo(before + 1);
    int opened = manager.opened;
    run(10 * SECOND);
    assertThat(manager.opened).isEqualTo(opened);
    manager.refuse(ErrorCode.NONE, "");
    manager.connection.send(0, new Maps.ManagersAre(true, "", List.of("elsewhere:7070")));
    run(4 * STEP);
    assertThat(told).contains("taken");
    int taken = manager.asked;
    manager.connection.send(0, new Maps.ManagersAre(true, "", List.of("elsewhere:7070")));
    run(SECOND);
    assertThat(manager.asked).as("a seat that was taken asks no more").isEqualTo(taken);
    link.close("over");
  }

  /** One that is cut off from the others knows no leader, or does not even answer. */
  @Test
  void aSeatLeavesAManagerThatIsOfNoUse() throws IOException {
    FakeManager cutOff = listen("there");
    cutOff.refuse(ErrorCode.UNAVAILABLE, "the manager does not lead");
    FakeManager leader = listen("elsewhere");
    List<Address> both = List.of(MANAGER, new Address.Inet("elsewhere", 7070));
    ManagerLink link =
        new ManagerLink(timers, network.at("here"), both, "here", new Calls(timers), seat);
    link.start();
    run(3 * SECOND);
    assertThat(told).contains("taken");
    leader.silent = true;
    leader.refuse(ErrorCode.UNAVAILABLE, "the manager does not lead");
    cutOff.refuse(ErrorCode.NONE, "");
    reports = true;
    told.clear();
    run(8 * SECOND);
    assertThat(told).contains("taken");
    network.partition("here", "there", false);
    leader.silent = false;
    leader.refuse(ErrorCode.NONE, "");
    told.clear();
    run(8 * SECOND);
    assertThat(told).contains("taken");
    link.close("over");
  }

  private FakeManager listen(String host) throws IOException {
    FakeManager manager = new FakeManager();
    network
        .at(host)
        .listen(new Address.Inet(host, 7070), hello -> new Handshake.Welcome(1, 1, 1, 1), manager);
    return manager;
  }

  private ManagerLink link() {
    return new ManagerLink(
        timers, network.at("here"), List.of(MANAGER), "here", new Calls(timers), seat);
  }

  private static final class FakeManager implements Handler {
    String refusal = "";
    ErrorCode code = ErrorCode.INVALID;
    boolean silent;
    int opened;
    int asked;
    Connection connection;

    void refuse(ErrorCode with, String reason) {
      code = with;
      refusal = reason;
    }

    @Override
    public void opened(Connection opened) {
      this.opened++;
      connection = opened;
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      asked++;
      if (silent) return;
      connection.send(
          request,
          refusal.isEmpty() ? new Maps.MapIs(1, Bytes.EMPTY) : new Replies.Failed(code, refusal));
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  private void run(long nanos) {
    for (long end = now + nanos; now < end; now += STEP) timers.runDue();
  }
}
