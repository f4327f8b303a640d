// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Pool;
import io.forebay.ring.Tenancy;
import io.forebay.seat.manager.pool.PoolBook;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps.SeatOffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A proposal that, once committed, changes {@link ManagerState}. Commands are idempotent. */
public sealed interface Command {
  /** A seat and where it is. */
  record Arrival(String server, String host, SeatOffer seat) {}

  /**
   * A manager has begun to lead.
   *
   * @param term one above the last; else nothing happens
   * @param cluster the cluster's id if it has none yet
   * @param granuleBytes the unit of allocation of pools without settings
   */
  record BeginTerm(long term, long cluster, long granuleBytes) implements Command {
    /** With the default unit. */
    public BeginTerm(long term, long cluster) {
      this(term, cluster, PoolBook.GRANULE_BYTES_DEFAULT);
    }
  }

  /**
   * These seats are the ring, in this order.
   *
   * @param copies for how many copies there are groups from the start
   */
  record FormRing(List<Arrival> seats, int copies) implements Command {}

  /** Commands that change seats and the members of groups. */
  sealed interface OfMembers extends Command {}

  /** A seat, known by its log, is back: at another place, or without all that it had. */
  record SeatReturned(Arrival arrival) implements OfMembers {}

  /** Groups for another number of copies. */
  record AddGroups(int copies) implements Command {}

  /**
   * An instance; groups for its number of copies come with it.
   *
   * @param op identifies a repeated proposal
   */
  record CreateInstance(
      long op,
      String name,
      int owner,
      int group,
      Instance.Lifetime lifetime,
      Instance.Access access,
      long capacityBytes,
      int copies,
      boolean forced,
      Instance.WhenDegraded whenDegraded,
      PlacementSpec placement,
      DrainSpec drain,
      String protection,
      Tenancy tenancy,
      String pool)
      implements Command {
    /** The same as another proposal. */
    public CreateInstance withOp(long other) {
      return new CreateInstance(
          other,
          name,
          owner,
          group,
          lifetime,
          access,
          capacityBytes,
          copies,
          forced,
          whenDegraded,
          placement,
          drain,
          protection,
          tenancy,
          pool);
    }
  }

  /**
   * The instance of that number gets another capacity.
   *
   * @param op identifies a repeated proposal
   * @param user the requesting user
   */
  record ResizeInstance(long op, int instance, int user, long capacityBytes) implements Command {}

  /**
   * The home of an instance's tree has answered whether the tree fits a smaller capacity. Nothing
   * happens unless that is still the instance's capacity.
   */
  record SettleResize(int instance, long capacityBytes, boolean fits) implements Command {}

  /**
   * A pool gets these settings.
   *
   * @param user the requesting user
   */
  record SetPool(Pool pool, int user) implements Command {}

  /**
   * The instance of that number is destroyed.
   *
   * @param op identifies a repeated proposal
   * @param user the requesting user
   */
  record DestroyInstance(long op, int instance, int user) implements Command {}

  /**
   * The instance of that number ends: it takes no more writes, and is destroyed once the homes of
   * its groups have reported that its stages are done and its data is drained.
   *
   * @param op identifies a repeated proposal
   * @param user the requesting user
   */
  record EndInstance(long op, int instance, int user) implements Command {}

  /** The same for an instance that has expired, also if a job uses it. */
  record ExpireInstance(int instance) implements Command {}

  /**
   * The users of the instance may write what this says.
   *
   * @param op identifies a repeated proposal
   * @param user the requesting user
   */
  record ProtectInstance(long op, int instance, int user, String protection) implements Command {}

  /**
   * The instance has these users from now on, and all capabilities for it are revoked.
   *
   * @param op identifies a repeated proposal
   * @param user the requesting user
   * @param permit a word; empty to leave it
   * @param root a word; empty to leave it
   */
  record SetAccess(long op, int instance, int user, String permit, String root)
      implements Command {}

  /** The homes have nothing left to do for an instance that ends: it is no more. */
  record InstanceDrained(int instance) implements Command {}

  /**
   * A seat has been silent for a while: others that hold everything go on without it.
   *
   * @param start of the process that is meant; with another one, or another incarnation, nothing
   *     happens
   * @param unheard seats that are silent as well: none of them can go on in its place
   */
  record SeatSilent(SeatId seat, long start, long incarnation, List<SeatId> unheard)
      implements OfMembers {}

  /** A seat that was away is heard from again, with all its data. */
  record SeatHeard(SeatId seat, long start, long incarnation) implements OfMembers {}

  /**
   * The member holds everything acknowledged. Nothing happens unless the group is still in that
   * epoch and the seat in that incarnation.
   */
  record MakeCurrent(GroupId group, long epoch, SeatId seat, long incarnation)
      implements OfMembers {}

  /** A seat has been away for so long that other seats replace it in its groups. */
  record SeatGone(SeatId seat, long start, long incarnation) implements OfMembers {}

  /**
   * One more member, which holds nothing yet. Nothing happens unless the group is still in that
   * epoch and the seat in that incarnation.
   */
  record AddMember(GroupId group, long epoch, SeatId seat, long incarnation) implements OfMembers {}

  /**
   * These of its members are the group's, in this order, and no others. Nothing happens unless it
   * is still in that epoch, and the first of them is current.
   */
  record SettleGroup(GroupId group, long epoch, List<SeatId> members) implements OfMembers {}

  /**
   * A seat sits down at the ring; groups that start from it come with it.
   *
   * @param after behind which one it sits
   */
  record JoinRing(Arrival arrival, SeatId after) implements OfMembers {}

  /** The seats of that server leave: other seats replace them in their groups. */
  record LeaveRing(String server) implements OfMembers {}

  /** A seat that leaves is a member of no group any more. */
  record SeatLeft(SeatId seat) implements OfMembers {}

  /**
   * A member is too slow for its group: it rests, and others that hold everything go on without it.
   * Nothing happens unless the group is still in that epoch and the seat in that incarnation.
   */
  record BypassMember(GroupId group, long epoch, SeatId seat, long incarnation)
      implements OfMembers {}

  /** A member that was too slow has rested: it may be brought up to date. */
  record ResumeMember(GroupId group, long epoch, SeatId seat) implements OfMembers {}

  /**
   * The member could not keep what it should: the others continue without it. Has no effect unless
   * the group is still in that epoch and the seat in that incarnation.
   *
   * @param unheard silent seats: none of them can replace it
   */
  record MemberFailed(
      GroupId group, long epoch, SeatId seat, long incarnation, List<SeatId> unheard)
      implements OfMembers {}

  /**
   * An operator accepts the loss of all members: the group continues with this one's data. Has no
   * effect unless no member is current, the group is still in that epoch and the seat in that
   * incarnation.
   */
  record ReviveGroup(GroupId group, long epoch, SeatId seat, long incarnation)
      implements OfMembers {}

  /** Adds a key that signs capabilities from now on. */
  record AddAccessKey(AccessBook.Key key) implements Command {}

  /** Commands that change the book of jobs. */
  sealed interface OfJobs extends Command {}

  /**
   * A job begins, with its instance. Has no effect if the same job was begun before.
   *
   * @param caller the requesting user
   * @param instance its own, or none
   * @param agent the node whose agent asks for the batch system; empty for other callers
   * @param credential the hash of the secret by which programs reach the instance; empty for none
   */
  record BeginJob(
      int caller, Jobs.Job job, List<CreateInstance> instance, String agent, Bytes credential)
      implements OfJobs {
    public BeginJob {
      instance = List.copyOf(instance);
    }

    /** Without an agent and a credential. */
    public BeginJob(int caller, Jobs.Job job, List<CreateInstance> instance) {
      this(caller, job, instance, "", Bytes.EMPTY);
    }
  }

  /**
   * A job runs on these nodes, or on none any more.
   *
   * @param agent as for {@link BeginJob}
   */
  record SetNodes(int caller, String token, List<String> nodes, String agent) implements OfJobs {
    public SetNodes {
      nodes = List.copyOf(nodes);
    }

    /** Without an agent. */
    public SetNodes(int caller, String token, List<String> nodes) {
      this(caller, token, nodes, "");
    }
  }

  /** A job ends, and its instance with it: at once with {@code hurry}. */
  record EndJob(int caller, String token, boolean hurry) implements OfJobs {}

  /** Commands that change the book of certificates. */
  sealed interface OfCertificates extends Command {}

  /**
   * A token can be used from now on.
   *
   * @param nowSeconds the manager's wall clock: tokens that expired before are forgotten
   */
  record AddToken(CertificateBook.Token token, long nowSeconds) implements OfCertificates {}

  /**
   * A certificate is issued: by a token, of which that takes one use, or as the renewal of another.
   *
   * @param token the hash of the token's secret; empty for a renewal
   * @param renews the serial number of the certificate before it; 0 with a token
   */
  record IssueCertificate(CertificateBook.Issued certificate, Bytes token, long renews)
      implements OfCertificates {}

  /**
   * A certificate of the manager's own machine, for which its CA needs no request, is in use.
   *
   * @param nowSeconds the manager's wall clock: what expired before is forgotten
   */
  record EnterCertificate(CertificateBook.Issued certificate, long nowSeconds)
      implements OfCertificates {}

  /**
   * One certificate, or all of a name if the serial number is 0, are revoked.
   *
   * @param roles the roles that are meant by the name; empty for all
   */
  record RevokeCertificates(long serial, String name, List<Role> roles, long nowSeconds)
      implements OfCertificates {
    public RevokeCertificates {
      roles = List.copyOf(roles);
    }
  }

  /** Revokes nothing: the state forgets tokens and certificates that have expired. */
  static Command forgetExpired(long nowSeconds) {
    return new RevokeCertificates(0, "", List.of(), nowSeconds);
  }

  /** The number of each command in logs. Never reused. */
  RecordFields.Numbers NUMBERS =
      new RecordFields.Numbers() {
        private final List<Class<? extends Command>> types =
            List.of(
                BeginTerm.class,
                FormRing.class,
                SeatReturned.class,
                AddGroups.class,
                CreateInstance.class,
                DestroyInstance.class,
                SeatSilent.class,
                SeatHeard.class,
                MakeCurrent.class,
                SeatGone.class,
                AddMember.class,
                SettleGroup.class,
                JoinRing.class,
                LeaveRing.class,
                SeatLeft.class,
                BypassMember.class,
                ResumeMember.class,
                MemberFailed.class,
                EndInstance.class,
                InstanceDrained.class,
                ReviveGroup.class,
                ProtectInstance.class,
                BeginJob.class,
                SetNodes.class,
                EndJob.class,
                ResizeInstance.class,
                SettleResize.class,
                SetPool.class,
                AddAccessKey.class,
                AddToken.class,
                IssueCertificate.class,
                RevokeCertificates.class,
                ExpireInstance.class,
                EnterCertificate.class,
                SetAccess.class);

        @Override
        public int code(Class<?> type) {
          return types.indexOf(type) + 1;
        }

        @Override
        public @Nullable Class<?> type(int code) {
          return code < 1 || code > types.size() ? null : types.get(code - 1);
        }
      };

  RecordFields FIELDS = new RecordFields(NUMBERS);

  default Bytes encode() {
    FieldWriter out = new FieldWriter();
    FIELDS.writeNumbered(this, out);
    return Bytes.copyOf(out.written());
  }

  static Command decode(Bytes bytes) throws MalformedFields {
    FieldReader in = new FieldReader(bytes.asBuffer());
    Command command = FIELDS.readNumbered(Command.class, in);
    if (in.remaining() > 0) {
      throw new MalformedFields(in.remaining() + " bytes too many in a command");
    }
    return command;
  }
}
