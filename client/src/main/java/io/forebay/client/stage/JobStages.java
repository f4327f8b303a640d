// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The stages of a job in its own instance. Their ids follow from the token and the position, so
 * that a repeated call finds them and starts nothing twice.
 */
public final class JobStages {
  private JobStages() {}

  /**
   * Starts all stages in, and records the stages out, which the servers run when the job ends. Does
   * not wait.
   *
   * @param uri of the job's instance
   * @return the ids of all of them, in order
   */
  public static List<String> begin(String uri, Job job, ForebayOptions options) throws IOException {
    Identity owner = new Identity(job.user(), List.of(job.group()));
    List<String> ids = new ArrayList<>();
    try (Forebay buffer = Forebay.connect(uri, options.withIdentity(owner));
        Staging staging = Staging.of(buffer)) {
      for (int i = 0; i < job.stages().size(); i++) {
        String id = JobStage.id(job.token(), i);
        start(staging, id, job.stages().get(i));
        ids.add(id);
      }
    }
    return ids;
  }

  private static void start(Staging staging, String id, JobStage stage) throws IOException {
    boolean out = stage.direction() == JobStage.Direction.OUT;
    if (stage.kind() == JobStage.Kind.LIST) {
      StageRequest list =
          StageRequest.list(out ? StageRequest.Direction.OUT : StageRequest.Direction.IN)
              .withDeferred(out);
      staging.startListAs(id, list, Path.of(stage.source()));
    } else if (out) {
      staging.startAs(id, StageRequest.out(stage.source(), stage.destination()).withDeferred(true));
    } else {
      staging.startAs(id, StageRequest.in(stage.source(), stage.destination()));
    }
  }
}
