// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Handshake.Role;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that an outsider once did with success, and that must be refused.
 *
 * @param role what it says it is
 */
record OutsiderTry(String what, Role role, boolean atManager, Message message) {
  /** The highest epoch: believed from outside, it stopped the manager. */
  private static final long HIGHEST = Long.MAX_VALUE;

  private static final int WEIGHT_MAX = 1000;

  /** All of them, with values of a running ring. */
  static List<OutsiderTry> all(KnownRing ring, Identity self) {
    List<OutsiderTry> all = new ArrayList<>();
    addContent(all, ring, self);
    addSeats(all, ring);
    addManager(all, ring, self);
    return all;
  }

  private static OutsiderTry asClient(String what, KnownRing ring, Identity who, Names.Op op) {
    Group root = ring.root();
    long number = op instanceof Names.Change ? 1 : 0;
    return new OutsiderTry(
        what,
        Role.CLIENT,
        false,
        new Names.Request(
            root.id(), root.epoch(), ring.secret().id(), 0, 1, number, 0, 0, true, who, op));
  }

  /** Claiming to be root, and as itself with the number of a file. */
  private static void addContent(List<OutsiderTry> all, KnownRing ring, Identity self) {
    for (Identity who : List.of(Identity.root(), self)) {
      String as = " as user " + who.user();
      all.add(asClient("read a pair" + as, ring, who, new Names.GetPair("key", 10)));
      all.add(asClient("delete a pair" + as, ring, who, new Names.DeletePair("key")));
      all.add(asClient("list pairs" + as, ring, who, new Names.ListPairs("", "", 10)));
      all.add(
          asClient(
              "read a file by number" + as, ring, who, new Names.FindRuns(ring.file(), 0, 9, 9)));
      all.add(
          asClient("zero a file by number" + as, ring, who, new Names.Punch(ring.file(), 0, 9)));
      all.add(asClient("begin a session" + as, ring, who, new Names.BeginSession("node", HIGHEST)));
      all.add(asClient("see the usage" + as, ring, who, new Names.GetUsage()));
    }
    all.add(
        new OutsiderTry(
            "read a record by its id",
            Role.CLIENT,
            false,
            new Data.Get(ring.root().id(), new RecordId(1, 256), ring.secret().id(), 0, 9, 0)));
  }

  /** Saying that it is a seat. */
  private static void addSeats(List<OutsiderTry> all, KnownRing ring) {
    GroupId group = ring.root().id();
    long epoch = ring.root().epoch();
    List<Data.Dead> dead = List.of(Data.Dead.file(ring.fileId()));
    all.add(new OutsiderTry("kill", Role.SEAT, false, new Data.Kill(group, epoch, dead)));
    all.add(
        new OutsiderTry("kill copies", Role.SEAT, false, new Data.KillCopies(group, epoch, dead)));
    SeatEntry seat = ring.home();
    all.add(new OutsiderTry("highest map", Role.SEAT, true, new Maps.GetMap(HIGHEST)));
    all.add(
        new OutsiderTry(
            "highest lease", Role.SEAT, true, new Maps.Lease(group, HIGHEST, seat.id(), 1)));
    all.add(
        new OutsiderTry(
            "highest report",
            Role.SEAT,
            true,
            new Maps.SeatReport(seat.id(), seat.incarnation(), HIGHEST)));
    all.add(
        new OutsiderTry(
            "move a seat", Role.SEAT, true, init(ring, seat.logHigh(), seat.logLow(), 1, false)));
    all.add(
        new OutsiderTry("join with weight", Role.SEAT, true, init(ring, 7, 7, WEIGHT_MAX, true)));
  }

  private static Maps.Init init(
      KnownRing ring, long logHigh, long logLow, int weight, boolean joins) {
    SeatEntry seat = ring.home();
    Maps.SeatOffer offer =
        new Maps.SeatOffer(
            logHigh,
            logLow,
            seat.incarnation(),
            1,
            List.of("192.0.2.1:1"),
            seat.memoryBytes(),
            seat.ssdBytes(),
            weight);
    return new Maps.Init(
        ring.map().cluster(),
        joins ? "rogue" : seat.server(),
        1,
        "host",
        HIGHEST,
        offer,
        joins,
        Maps.Init.ANYWHERE);
  }

  private static void addManager(List<OutsiderTry> all, KnownRing ring, Identity self) {
    String server = ring.home().server();
    all.add(new OutsiderTry("leave", Role.CLIENT, true, new Maps.Leave(server)));
    all.add(
        new OutsiderTry(
            "get a capability", Role.CLIENT, true, new Access.GetCapability(ring.instance())));
    for (Identity who : List.of(Identity.root(), self)) {
      all.add(
          new OutsiderTry(
              "destroy as user " + who.user(),
              Role.CLIENT,
              true,
              new Maps.DestroyInstance(1, ring.instance(), who)));
      all.add(
          new OutsiderTry(
              "discard as user " + who.user(),
              Role.CLIENT,
              true,
              new Maps.DiscardInstance(2, ring.instance(), who)));
    }
    all.add(
        new OutsiderTry("revoke", Role.CLIENT, true, new Enrolment.Revoke(0, server, List.of())));
    all.add(
        new OutsiderTry(
            "list certificates", Role.CLIENT, true, new Enrolment.ListCertificates(0, 9)));
  }
}
