// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.right;

import static io.forebay.wire.right.Need.ADMINISTER;
import static io.forebay.wire.right.Need.AGENT;
import static io.forebay.wire.right.Need.ANSWER;
import static io.forebay.wire.right.Need.MANAGER;
import static io.forebay.wire.right.Need.NOTHING;
import static io.forebay.wire.right.Need.OBSERVE;
import static io.forebay.wire.right.Need.OPERATOR;
import static io.forebay.wire.right.Need.PROOF;
import static io.forebay.wire.right.Need.READ;
import static io.forebay.wire.right.Need.SEAT;
import static io.forebay.wire.right.Need.WRITE;

import io.forebay.base.StageKeys;
import io.forebay.base.proof.Capability;
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

/**
 * What the sender of each message must have proved. A message that claims a user ({@link
 * io.forebay.wire.message.ClaimsUser}) also needs the right to act for that user.
 */
public final class MessageNeeds {
  private static final Map<Class<? extends Message>, Need> NEEDS = new HashMap<>();

  static {
    addAnswers();
    add(
        NOTHING,
        List.of(
            Handshake.Hello.class,
            Access.Present.class,
            Access.Prove.class,
            Enrolment.Enrol.class));
    add(
        PROOF,
        List.of(
            Access.GetCapability.class,
            Access.GetUser.class,
            Enrolment.Renew.class,
            Enrolment.GetRevoked.class,
            Maps.GetMap.class,
            Maps.Ping.class,
            Maps.AskAlive.class,
            Maps.Suspect.class,
            Maps.CreateInstance.class,
            Maps.DestroyInstance.class,
            Maps.DiscardInstance.class,
            Maps.ProtectInstance.class,
            Maps.ResizeInstance.class,
            Maps.SetAccess.class,
            Maps.SetPool.class,
            Jobs.BeginJob.class,
            Jobs.GetJob.class,
            Jobs.ListJobs.class,
            Jobs.SetNodes.class,
            Jobs.EndJob.class,
            Jobs.ListNodes.class,
            Data.LooksDamaged.class,
            Drains.CheckBacking.class));
    add(OBSERVE, List.of(Statuses.GetStatus.class, Uses.GetUses.class));
    add(
        OPERATOR,
        List.of(
            Maps.Leave.class,
            Maps.Revive.class,
            Enrolment.CreateToken.class,
            Enrolment.EnterCertificates.class,
            Enrolment.ListCertificates.class,
            Enrolment.Revoke.class,
            Maps.RemoveManager.class));
    add(MANAGER, List.of(Maps.AddManager.class));
    add(AGENT, List.of(Jobs.ReportNode.class));
    addSeats();
    addContent();
    addNames();
  }

  private MessageNeeds() {}

  private static void add(Need need, List<Class<? extends Message>> types) {
    for (Class<? extends Message> type : types) {
      if (NEEDS.put(type, need) != null) throw new IllegalStateException("twice: " + type);
    }
  }

  private static void addAnswers() {
    add(
        ANSWER,
        List.of(
            Handshake.Welcome.class,
            Handshake.Refusal.class,
            Replies.Done.class,
            Replies.Failed.class,
            Maps.MapIs.class,
            Maps.ManagersAre.class,
            Maps.InstanceMade.class,
            Maps.LeaseGranted.class,
            Maps.Pong.class,
            Maps.AliveIs.class,
            Access.CapabilityIs.class,
            Access.UserIs.class,
            Access.KeysAre.class,
            Access.TrustIs.class,
            Statuses.SeatStatus.class,
            Statuses.ManagerStatus.class,
            Loads.LoadIs.class,
            Uses.Verdict.class,
            Uses.UsesAre.class,
            Jobs.JobIs.class,
            Jobs.JobsAre.class,
            Jobs.NodeJobs.class,
            Jobs.NodesAre.class,
            Enrolment.TokenMade.class,
            Enrolment.Enrolled.class,
            Enrolment.CertificatesAre.class,
            Enrolment.Revoked.class,
            Enrolment.RevokedAre.class,
            Drains.ChunkWritten.class,
            Drains.BackingIs.class,
            Journals.Appended.class,
            Journals.JournalIs.class,
            Journals.Entries.class));
    add(
        ANSWER,
        List.of(
            Data.PutDone.class,
            Data.PutElsewhere.class,
            Data.Got.class,
            Data.InBuffer.class,
            Data.DeadAre.class,
            Data.TreeIsIn.class,
            Data.KeyIs.class,
            Data.MissingAre.class,
            Data.LackingAre.class,
            Names.SessionIs.class,
            Names.NodeIs.class,
            Names.Listing.class,
            Names.LinkIs.class,
            Names.ExtraIs.class,
            Names.ExtrasAre.class,
            Names.Published.class,
            Names.Punched.class,
            Names.RunsAre.class,
            Names.NumbersAre.class,
            Names.FilesPut.class,
            Names.PairIs.class,
            Names.PairsAre.class,
            Names.RoomIs.class,
            Names.UsageIs.class,
            Names.LedgerIs.class,
            Names.StandingsAre.class,
            Names.DrainIs.class,
            Names.LockIs.class,
            Names.LockHolder.class));
  }

  private static void addSeats() {
    add(
        SEAT,
        List.of(
            Access.GetKeys.class,
            Maps.Init.class,
            Maps.SeatReport.class,
            Maps.TreeResized.class,
            Maps.TreesDrained.class,
            Maps.Lease.class,
            Maps.MemberComplete.class,
            Maps.MemberSlow.class,
            Maps.MemberFailed.class,
            Journals.Append.class,
            Journals.AskJournal.class,
            Journals.FetchEntries.class,
            Journals.Trim.class,
            Loads.AskLoad.class,
            Uses.Report.class,
            Drains.WriteChunk.class,
            Drains.ForceChunks.class,
            Drains.AttemptOver.class,
            Drains.WantRoom.class,
            Data.Replicate.class,
            Data.Confirm.class,
            Data.Kill.class,
            Data.KillCopies.class,
            Data.AskDead.class,
            Data.AskKey.class,
            Data.AskMissing.class,
            Data.SendAgain.class,
            Data.GrowTree.class,
            Data.SessionOver.class,
            Data.PiecesGivenUp.class,
            Data.PutBacked.class));
  }

  private static void addContent() {
    add(WRITE, List.of(Data.Put.class));
    add(
        READ,
        List.of(
            Data.Get.class,
            Data.GetBacked.class,
            Data.AskHeld.class,
            Data.AskSound.class,
            Stages.CallToStage.class,
            Names.Request.class));
  }

  /** The operations of {@link Names.Request}. */
  private static void addNames() {
    add(
        READ,
        List.of(
            Names.BeginSession.class,
            Names.KeepAlive.class,
            Names.EndSession.class,
            Names.Lookup.class,
            Names.CheckAccess.class,
            Names.ListDirectory.class,
            Names.ReadLink.class,
            // Opening for writing needs WRITE: see of(Message).
            Names.Open.class,
            Names.Release.class,
            Names.GetExtra.class,
            Names.ListExtras.class,
            Names.FindRuns.class,
            Names.GetPair.class,
            Names.ListPairs.class,
            Names.GetUsage.class,
            Names.GetLedger.class,
            Names.GetStandings.class,
            Names.SetLock.class,
            Names.Unlock.class,
            Names.CancelLock.class,
            Names.AskLock.class,
            Names.FindLock.class));
    add(
        WRITE,
        List.of(
            Names.MakeDirectory.class,
            Names.MakeSymlink.class,
            Names.MakeNode.class,
            Names.MakeLink.class,
            Names.Unlink.class,
            Names.RemoveDirectory.class,
            Names.Rename.class,
            Names.SetAttributes.class,
            Names.SetExtra.class,
            Names.RemoveExtra.class,
            Names.Publish.class,
            Names.Punch.class,
            Names.Allocate.class,
            Names.TakeNumbers.class,
            // Pairs of stages need ADMINISTER: see of(Message).
            Names.PutPair.class,
            Names.PutFile.class,
            Names.PutFiles.class,
            Names.DeletePair.class,
            Names.TakeRoom.class,
            Names.Drain.class,
            Names.Refresh.class));
  }

  /** What any message of a type needs at least. */
  public static Need of(Class<? extends Message> type) {
    Need need = NEEDS.get(type);
    if (need == null) throw new IllegalStateException("no line for " + type.getSimpleName());
    return need;
  }

  /** What a message needs. */
  public static Need of(Message message) {
    if (!(message instanceof Names.Request request)) return of(message.getClass());
    if (request.what() instanceof Names.Open open) {
      return open.write() || open.create() || open.truncate() ? WRITE : READ;
    }
    if (request.what() instanceof Names.PutPair put && isOfStages(put.key())) return ADMINISTER;
    if (request.what() instanceof Names.DeletePair delete && isOfStages(delete.key())) {
      return ADMINISTER;
    }
    return of(request.what().getClass());
  }

  /** Servers act on these pairs, with the rights of the instance's owner. */
  private static boolean isOfStages(String key) {
    return key.startsWith(StageKeys.RESERVED);
  }

  /** The instance that a message is about; {@link Capability#CLUSTER} if it names none. */
  public static int instanceOf(Message message) {
    if (message instanceof Names.Request names) return names.instance();
    if (message instanceof Data.Put put) return put.file().instance();
    if (message instanceof Data.Get get) return get.instance();
    if (message instanceof Data.GetBacked get) return get.instance();
    if (message instanceof Data.AskHeld ask) return ask.instance();
    if (message instanceof Data.AskSound ask) return ask.instance();
    if (message instanceof Stages.CallToStage call) return call.instance();
    if (message instanceof Uses.GetUses get) return get.instance();
    return Capability.CLUSTER;
  }
}
