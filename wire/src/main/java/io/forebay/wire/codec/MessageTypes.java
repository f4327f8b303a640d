// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.codec;

import io.forebay.base.fields.RecordFields;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Stages;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number of each message on the wire and in journals. Numbers are never reused. */
public final class MessageTypes {
  private record Numbered(int code, Class<? extends Message> type) {}

  private static final List<Numbered> ALL =
      List.of(
          new Numbered(1, Handshake.Hello.class),
          new Numbered(2, Handshake.Welcome.class),
          new Numbered(3, Handshake.Refusal.class),
          new Numbered(4, Replies.Done.class),
          new Numbered(5, Replies.Failed.class),
          new Numbered(10, Maps.GetMap.class),
          new Numbered(11, Maps.MapIs.class),
          new Numbered(12, Maps.Init.class),
          new Numbered(13, Maps.SeatReport.class),
          new Numbered(14, Maps.CreateInstance.class),
          new Numbered(15, Maps.InstanceMade.class),
          new Numbered(16, Maps.DestroyInstance.class),
          new Numbered(17, Maps.Lease.class),
          new Numbered(18, Maps.LeaseGranted.class),
          new Numbered(20, Data.Put.class),
          new Numbered(21, Data.PutDone.class),
          new Numbered(22, Data.Replicate.class),
          new Numbered(23, Data.Confirm.class),
          new Numbered(24, Data.Get.class),
          new Numbered(25, Data.Got.class),
          new Numbered(26, Data.Kill.class),
          new Numbered(27, Data.KillCopies.class),
          new Numbered(28, Data.AskDead.class),
          new Numbered(29, Data.DeadAre.class),
          new Numbered(30, Data.SessionOver.class),
          new Numbered(31, Data.GrowTree.class),
          new Numbered(32, Data.TreeIsIn.class),
          new Numbered(33, Data.SendAgain.class),
          new Numbered(34, Data.AskHeld.class),
          new Numbered(35, Data.LackingAre.class),
          new Numbered(36, Data.LooksDamaged.class),
          new Numbered(37, Data.PiecesGivenUp.class),
          new Numbered(40, Journals.Append.class),
          new Numbered(41, Journals.Appended.class),
          new Numbered(42, Journals.AskJournal.class),
          new Numbered(43, Journals.JournalIs.class),
          new Numbered(44, Journals.FetchEntries.class),
          new Numbered(45, Journals.Entries.class),
          new Numbered(46, Journals.Trim.class),
          new Numbered(50, Names.Request.class),
          new Numbered(51, Names.BeginSession.class),
          new Numbered(52, Names.SessionIs.class),
          new Numbered(53, Names.KeepAlive.class),
          new Numbered(54, Names.EndSession.class),
          new Numbered(55, Names.NodeIs.class),
          new Numbered(56, Names.Lookup.class),
          new Numbered(57, Names.ListDirectory.class),
          new Numbered(58, Names.Listing.class),
          new Numbered(59, Names.ReadLink.class),
          new Numbered(60, Names.LinkIs.class),
          new Numbered(61, Names.Open.class),
          new Numbered(62, Names.Release.class),
          new Numbered(63, Names.MakeDirectory.class),
          new Numbered(64, Names.MakeSymlink.class),
          new Numbered(65, Names.MakeLink.class),
          new Numbered(66, Names.Unlink.class),
          new Numbered(67, Names.RemoveDirectory.class),
          new Numbered(68, Names.Rename.class),
          new Numbered(69, Names.SetAttributes.class),
          new Numbered(70, Names.SetExtra.class),
          new Numbered(71, Names.RemoveExtra.class),
          new Numbered(72, Names.GetExtra.class),
          new Numbered(73, Names.ExtraIs.class),
          new Numbered(74, Names.ListExtras.class),
          new Numbered(75, Names.ExtrasAre.class),
          new Numbered(76, Names.Publish.class),
          new Numbered(77, Names.Published.class),
          new Numbered(78, Names.FindRuns.class),
          new Numbered(79, Names.RunsAre.class),
          new Numbered(80, Names.TakeNumbers.class),
          new Numbered(81, Names.NumbersAre.class),
          new Numbered(82, Names.PutPair.class),
          new Numbered(83, Names.GetPair.class),
          new Numbered(84, Names.PairIs.class),
          new Numbered(85, Names.DeletePair.class),
          new Numbered(86, Names.ListPairs.class),
          new Numbered(87, Names.PairsAre.class),
          new Numbered(88, Names.TakeRoom.class),
          new Numbered(89, Names.RoomIs.class),
          new Numbered(90, Names.GetUsage.class),
          new Numbered(91, Names.UsageIs.class),
          new Numbered(100, Statuses.GetStatus.class),
          new Numbered(101, Statuses.SeatStatus.class),
          new Numbered(102, Statuses.ManagerStatus.class),
          new Numbered(110, Maps.Ping.class),
          new Numbered(111, Maps.Pong.class),
          new Numbered(112, Maps.AskAlive.class),
          new Numbered(113, Maps.AliveIs.class),
          new Numbered(114, Maps.Suspect.class),
          new Numbered(120, Data.AskMissing.class),
          new Numbered(121, Data.MissingAre.class),
          new Numbered(122, Maps.MemberComplete.class),
          new Numbered(130, Data.PutElsewhere.class),
          new Numbered(131, Loads.AskLoad.class),
          new Numbered(132, Loads.LoadIs.class),
          new Numbered(133, Maps.MemberFailed.class),
          new Numbered(140, Maps.MemberSlow.class),
          new Numbered(141, Maps.Leave.class),
          new Numbered(150, Names.GetLedger.class),
          new Numbered(151, Names.LedgerIs.class),
          new Numbered(152, Names.Drain.class),
          new Numbered(153, Names.DrainIs.class),
          new Numbered(154, Data.GetBacked.class),
          new Numbered(155, Drains.WriteChunk.class),
          new Numbered(156, Drains.ChunkWritten.class),
          new Numbered(157, Drains.ForceChunks.class),
          new Numbered(158, Drains.WantRoom.class),
          new Numbered(159, Names.GetStandings.class),
          new Numbered(160, Names.StandingsAre.class),
          new Numbered(161, Data.AskSound.class),
          new Numbered(162, Drains.AttemptOver.class),
          new Numbered(163, Data.AskKey.class),
          new Numbered(164, Data.KeyIs.class),
          new Numbered(179, Names.Refresh.class),
          new Numbered(199, Maps.DiscardInstance.class),
          new Numbered(200, Maps.TreesDrained.class),
          new Numbered(201, Maps.ProtectInstance.class),
          new Numbered(211, Data.InBuffer.class),
          new Numbered(212, Data.PutBacked.class),
          new Numbered(221, Names.Punch.class),
          new Numbered(222, Names.Punched.class),
          // 223 was a change that made files longer.
          new Numbered(224, Names.CheckAccess.class),
          new Numbered(240, Drains.CheckBacking.class),
          new Numbered(241, Drains.BackingIs.class),
          new Numbered(242, Maps.Revive.class),
          new Numbered(250, Names.SetLock.class),
          new Numbered(251, Names.Unlock.class),
          new Numbered(252, Names.CancelLock.class),
          new Numbered(253, Names.AskLock.class),
          new Numbered(254, Names.LockIs.class),
          new Numbered(255, Names.FindLock.class),
          new Numbered(256, Names.LockHolder.class),
          new Numbered(260, Names.MakeNode.class),
          new Numbered(261, Names.Allocate.class),
          new Numbered(270, Uses.Report.class),
          new Numbered(271, Uses.Verdict.class),
          new Numbered(272, Uses.GetUses.class),
          new Numbered(273, Uses.UsesAre.class),
          new Numbered(290, Names.PutFile.class),
          new Numbered(291, Stages.CallToStage.class),
          new Numbered(292, Names.PutFiles.class),
          new Numbered(293, Names.FilesPut.class),
          new Numbered(300, Jobs.BeginJob.class),
          new Numbered(301, Jobs.GetJob.class),
          new Numbered(302, Jobs.JobIs.class),
          new Numbered(303, Jobs.ListJobs.class),
          new Numbered(304, Jobs.JobsAre.class),
          new Numbered(305, Jobs.SetNodes.class),
          new Numbered(306, Jobs.EndJob.class),
          new Numbered(310, Maps.ResizeInstance.class),
          new Numbered(311, Maps.TreeResized.class),
          new Numbered(312, Maps.SetPool.class),
          new Numbered(313, Maps.SetAccess.class),
          new Numbered(320, Jobs.ReportNode.class),
          new Numbered(321, Jobs.NodeJobs.class),
          new Numbered(322, Jobs.ListNodes.class),
          new Numbered(323, Jobs.NodesAre.class),
          new Numbered(332, Access.GetCapability.class),
          new Numbered(333, Access.CapabilityIs.class),
          new Numbered(334, Access.Present.class),
          new Numbered(335, Access.GetKeys.class),
          new Numbered(336, Access.KeysAre.class),
          new Numbered(337, Access.TrustIs.class),
          new Numbered(338, Maps.ManagersAre.class),
          new Numbered(340, Enrolment.CreateToken.class),
          new Numbered(341, Enrolment.TokenMade.class),
          new Numbered(342, Enrolment.Enrol.class),
          new Numbered(343, Enrolment.Renew.class),
          new Numbered(344, Enrolment.Enrolled.class),
          new Numbered(345, Enrolment.ListCertificates.class),
          new Numbered(346, Enrolment.CertificatesAre.class),
          new Numbered(347, Enrolment.Revoke.class),
          new Numbered(348, Enrolment.Revoked.class),
          new Numbered(349, Enrolment.GetRevoked.class),
          new Numbered(350, Enrolment.RevokedAre.class),
          new Numbered(351, Enrolment.EnterCertificates.class),
          new Numbered(360, Access.Prove.class),
          new Numbered(361, Access.GetUser.class),
          new Numbered(362, Access.UserIs.class),
          new Numbered(370, Maps.AddManager.class),
          new Numbered(371, Maps.RemoveManager.class));

  /** The same for codecs. */
  static final RecordFields.Numbers NUMBERS =
      new RecordFields.Numbers() {
        @Override
        public int code(Class<?> type) {
          return MessageTypes.code(type.asSubclass(Message.class));
        }

        @Override
        public @Nullable Class<?> type(int code) {
          return MessageTypes.type(code);
        }
      };

  private static final Map<Integer, Class<? extends Message>> TYPES = new HashMap<>();
  private static final Map<Class<? extends Message>, Integer> CODES = new HashMap<>();

  static {
    for (Numbered numbered : ALL) {
      if (TYPES.put(numbered.code, numbered.type) != null
          || CODES.put(numbered.type, numbered.code) != null) {
        throw new IllegalStateException("two messages of number " + numbered.code);
      }
    }
  }

  private MessageTypes() {}

  public static int code(Class<? extends Message> type) {
    Integer code = CODES.get(type);
    if (code == null) throw new IllegalArgumentException(type + " has no number");
    return code;
  }

  /** The message of that number, or null. */
  public static @Nullable Class<? extends Message> type(int code) {
    return TYPES.get(code);
  }

  /** Every message there is, for tests that must see them all. */
  public static List<Class<? extends Message>> all() {
    return ALL.stream().<Class<? extends Message>>map(Numbered::type).toList();
  }
}
