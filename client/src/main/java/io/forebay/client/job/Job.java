// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.job;

import io.forebay.base.Bytes;
import io.forebay.base.proof.JobCredential;
import io.forebay.wire.message.Jobs;
import java.time.Instant;
import java.util.List;

/**
 * A job as the manager knows it.
 *
 * @param token the batch system's name of it
 * @param user its owner
 * @param creator the program that began it
 * @param created as that program said
 * @param instance the name of its own instance; empty if it has none
 * @param uses persistent instances that it uses
 * @param nodes where it runs; empty before and afterwards
 * @param directory below which its nodes mount its instances; empty if they mount none
 * @param credentialHash of the credential by which programs reach its instance; empty for none, and
 *     where it is not asked for
 */
public record Job(
    String token,
    int user,
    int group,
    String creator,
    Instant created,
    String instance,
    List<String> uses,
    List<JobStage> stages,
    List<String> nodes,
    String directory,
    Phase phase,
    Bytes credentialHash) {
  /** Where in its life a job is. */
  public enum Phase {
    /** Its instance exists, and no node has been named. */
    BEGUN,
    /** Its nodes are known. */
    RUNNING,
    /** Its nodes were given back. */
    RAN,
    /** Its instance ends; then the job is forgotten. */
    ENDING
  }

  private static final String INSTANCE_PREFIX = "job-";

  public Job {
    uses = List.copyOf(uses);
    stages = List.copyOf(stages);
    nodes = List.copyOf(nodes);
  }

  /** The name of the instance of a job that has one. */
  public static String instanceOf(String token) {
    return INSTANCE_PREFIX + token;
  }

  /** From the manager's answer. */
  public static Job of(Jobs.Job job) {
    return new Job(
        job.token(),
        job.user(),
        job.group(),
        job.creator(),
        Instant.ofEpochSecond(job.createdSeconds()),
        job.instance() == 0 ? "" : instanceOf(job.token()),
        job.uses(),
        job.stages().stream().map(JobStage::of).toList(),
        job.nodes(),
        job.directory(),
        switch (job.phase()) {
          case BEGUN -> Phase.BEGUN;
          case RUNNING -> Phase.RUNNING;
          case RAN -> Phase.RAN;
          case ENDING -> Phase.ENDING;
        },
        Bytes.EMPTY);
  }

  /** The same with the hash of its credential. */
  public Job withCredential(Bytes hash) {
    return new Job(
        token, user, group, creator, created, instance, uses, stages, nodes, directory, phase,
        hash);
  }

  /** Whether programs reach its instance with that credential. */
  public boolean isReachedWith(JobCredential credential) {
    return credentialHash.equals(credential.hash());
  }
}
