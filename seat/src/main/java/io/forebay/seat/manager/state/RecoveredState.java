// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Jobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The state with which a manager begins again that lost a part of its log, or all of it (P36):
 *
 * <ol>
 *   <li>Seats, groups and instances are those of the newest map that is known.
 *   <li>The term, the ring epoch and the epoch of each group are above all that can have been
 *       given, also in maps that no seat has any more. No epoch is one of the manager's lost past.
 *   <li>Numbers and access epochs of instances that may have been given are left out. So all
 *       capabilities for them are revoked; clients get others by themselves.
 *   <li>What no map shows is taken from the sound beginning of the log: keys, tokens, certificates,
 *       jobs. Jobs of instances that are gone go, too.
 * </ol>
 *
 * @param snapshot a snapshot of {@link ManagerState}
 * @param epoch its ring epoch
 * @param lost what an operator should know of what is lost, as sentences
 */
public record RecoveredState(Bytes snapshot, long term, long epoch, List<String> lost) {
  /**
   * How many terms are left out: more managers cannot have begun to lead since the newest map that
   * is known. A group's epoch grows with the ring epoch at least, so that it is no larger.
   */
  static final int TERMS_SKIPPED = 1000;

  /** The same of instances. */
  static final int INSTANCES_SKIPPED = 1000;

  /** The same of the access epochs of an instance. */
  static final int ACCESS_EPOCHS_SKIPPED = 1000;

  public RecoveredState {
    lost = List.copyOf(lost);
  }

  /**
   * Makes the state.
   *
   * @param newest the newest map that is known, which may be that of the log
   * @param sound the state of the log as far as it is sound; of no cluster if there is no log
   * @param nowSeconds since 1970
   */
  public static RecoveredState of(RingMap newest, ManagerState sound, long nowSeconds) {
    long term = Math.max(newest.term(), termOf(newest.epoch()));
    if (sound.cluster() == newest.cluster()) term = Math.max(term, sound.term());
    long next = termAfter(term, nowSeconds);
    long epoch = next * Terms.EPOCHS_PER_TERM;
    StateSnapshot log = sound.written();
    List<Jobs.Job> jobs = jobs(log.jobs(), newest);
    Set<String> tokens = new HashSet<>();
    for (Jobs.Job job : jobs) tokens.add(job.token());
    StateSnapshot state =
        new StateSnapshot(
            StateSnapshot.VERSION,
            newest.cluster(),
            next,
            epoch,
            // All maps of the past count as made: what they say is void.
            List.of(),
            newest.seats(),
            newest.groups().stream().map(group -> group.in(epochAfter(group, epoch))).toList(),
            newest.instances().stream().map(RecoveredState::revoked).toList(),
            newest.ended(),
            nextInstance(newest, log),
            log.answers(),
            jobs,
            log.reach().stream().filter(each -> tokens.contains(each.token())).toList(),
            log.granuleBytes(),
            pools(newest, log),
            log.keys(),
            log.certificates());
    return new RecoveredState(state.encode(), next, epoch, lost(newest, sound, jobs));
  }

  private static long termOf(long epoch) {
    return epoch / Terms.EPOCHS_PER_TERM;
  }

  /**
   * No manager that has led can have had this term, or a later one (P36). What is lost may have
   * begun with a recovery, too, of which no seat and no log knows any more. So it is the time at
   * least: fewer terms begin than seconds pass.
   */
  @Rule("P36")
  private static long termAfter(long term, long nowSeconds) {
    return Math.max(term + TERMS_SKIPPED, nowSeconds);
  }

  /** No group has had this epoch, or a later one: no group's is above the ring's (P36). */
  @Rule("P36")
  private static long epochAfter(Group group, long ringEpoch) {
    return Math.max(group.epoch(), ringEpoch);
  }

  private static int nextInstance(RingMap newest, StateSnapshot log) {
    int next = log.cluster() == newest.cluster() ? log.nextInstance() : 1;
    next = Math.max(next, newest.ended().last() + 1);
    for (Instance each : newest.instances()) next = Math.max(next, each.id() + 1);
    return next + INSTANCES_SKIPPED;
  }

  /** A capability of the lost past may allow what an operator forbids again. */
  private static Instance revoked(Instance instance) {
    Tenancy tenancy = instance.tenancy();
    int epoch = Math.addExact(tenancy.accessEpoch(), ACCESS_EPOCHS_SKIPPED);
    return instance.withTenancy(
        new Tenancy(tenancy.permit(), tenancy.expiresSeconds(), tenancy.root(), epoch));
  }

  /** Jobs whose instance is gone go with it; those whose instance ends are ending. */
  private static List<Jobs.Job> jobs(List<Jobs.Job> known, RingMap newest) {
    List<Jobs.Job> jobs = new ArrayList<>();
    for (Jobs.Job job : known) {
      Instance own = newest.instance(job.instance());
      boolean gone = job.instance() != 0 && own == null;
      if (gone) continue;
      boolean ends = own != null && own.drain().ending();
      jobs.add(ends ? job.inPhase(Jobs.Phase.ENDING, List.of()) : job);
    }
    return jobs;
  }

  /** The pools whose settings are fixed: by an operator, or since granules of them are promised. */
  private static List<Pool> pools(RingMap newest, StateSnapshot log) {
    Set<String> fixed = new HashSet<>();
    for (Pool pool : log.pools()) fixed.add(pool.name());
    for (Instance instance : newest.instances()) {
      if (instance.allocation().isPromise()) fixed.add(instance.allocation().pool());
    }
    return newest.pools().stream()
        .filter(
            pool ->
                fixed.contains(pool.name())
                    || !pool.equals(new Pool(pool.name(), log.granuleBytes(), 0, "")))
        .toList();
  }

  private static List<String> lost(RingMap newest, ManagerState sound, List<Jobs.Job> jobs) {
    List<String> lost = new ArrayList<>();
    if (sound.cluster() == 0) {
      lost.add(
          "Nothing of the manager's log can be read: all tokens, the list of certificates, all revocations, and all jobs with their credentials are lost.");
    } else if (sound.epoch() < newest.epoch()) {
      lost.add(
          "The manager's log ends at epoch %d, and the ring is at %d: tokens, certificates, revocations and jobs that came between are lost."
              .formatted(sound.epoch(), newest.epoch()));
    } else {
      lost.add(
          "The manager's log has the newest map; tokens, certificates, revocations and jobs of its last moments may be lost.");
    }
    lost.add(lastCertificate(sound.certificates()));
    lost.add(
        "Revoke again what was revoked after that, and make tokens again that are still needed.");
    for (Instance instance : newest.instances()) {
      boolean job = instance.name().startsWith(JobRules.INSTANCE_PREFIX);
      if (!job || instance.drain().ending()) continue;
      if (jobs.stream().anyMatch(each -> each.instance() == instance.id())) continue;
      lost.add(
          "The job of instance '%s' is lost: when it has ended, destroy the instance by 'forebay instance destroy'."
              .formatted(instance.name()));
    }
    return lost;
  }

  private static String lastCertificate(CertificateBook book) {
    long last = 0;
    for (CertificateBook.Issued each : book.content().issued()) {
      last = Math.max(last, each.issuedSeconds());
    }
    return last == 0
        ? "The list of certificates is empty: certificates of the cluster's CA count until they expire, and cannot be renewed or revoked."
        : "The last certificate of the list was issued at %s."
            .formatted(Instant.ofEpochSecond(last));
  }
}
