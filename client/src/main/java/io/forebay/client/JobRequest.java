// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.base.Bytes;
import io.forebay.base.proof.JobCredential;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
import io.forebay.ring.Instance;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Maps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to begin a job. Start with {@link #of} and change what you need. The same request under
 * the same token gives the same job, however often it is made.
 *
 * @param token 1 to 64 letters, digits, dots, dashes and underscores
 * @param owner the job's user; its first group is the group of the instance
 * @param creator the program that asks, for people
 * @param created when it was asked for
 * @param instance the job's own instance, which ends with it; null for none. It is of lifetime job,
 *     and admits only the owner, whatever this says
 * @param uses persistent instances that the job uses
 * @param directory below which the agents of its nodes mount its instances, such as {@code
 *     /mnt/forebay/4711}; empty if they are to mount none
 * @param credential by which programs reach the job's instance; null for none: then only the agents
 *     of its nodes do
 */
public record JobRequest(
    String token,
    Identity owner,
    String creator,
    Instant created,
    @Nullable InstanceOptions instance,
    List<String> uses,
    List<JobStage> stages,
    String directory,
    @Nullable JobCredential credential) {
  public JobRequest {
    uses = List.copyOf(uses);
    stages = List.copyOf(stages);
  }

  /** A job of a user, without an instance. */
  public static JobRequest of(String token, Identity owner) {
    return new JobRequest(token, owner, "", Instant.now(), null, List.of(), List.of(), "", null);
  }

  public JobRequest withCreator(String program) {
    return new JobRequest(
        token, owner, program, created, instance, uses, stages, directory, credential);
  }

  public JobRequest withInstance(InstanceOptions own) {
    return new JobRequest(token, owner, creator, created, own, uses, stages, directory, credential);
  }

  public JobRequest withUses(List<String> names) {
    return new JobRequest(
        token, owner, creator, created, instance, names, stages, directory, credential);
  }

  public JobRequest withStages(List<JobStage> asked) {
    return new JobRequest(
        token, owner, creator, created, instance, uses, asked, directory, credential);
  }

  public JobRequest withDirectory(String mounts) {
    return new JobRequest(
        token, owner, creator, created, instance, uses, stages, mounts, credential);
  }

  /** It is drawn for this job, with {@link JobCredential#draw}. */
  public JobRequest withCredential(JobCredential drawn) {
    return new JobRequest(token, owner, creator, created, instance, uses, stages, directory, drawn);
  }

  /**
   * As a message.
   *
   * @param op a number for the request, drawn at random
   * @param caller the user who asks: root or the owner
   */
  Jobs.BeginJob message(long op, Identity caller) {
    List<Maps.CreateInstance> own = new ArrayList<>();
    if (instance != null) {
      own.add(
          instance
              .withLifetime(Instance.Lifetime.JOB)
              .withTenancy(Tenancy.OWN)
              .request(op, Job.instanceOf(token), owner));
    }
    return new Jobs.BeginJob(
        caller,
        token,
        owner.user(),
        owner.primaryGroup(),
        creator,
        created.getEpochSecond(),
        uses,
        stages.stream().map(JobStage::onWire).toList(),
        directory,
        own,
        credential == null ? Bytes.EMPTY : credential.hash());
  }
}
