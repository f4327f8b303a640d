// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.job.Job;
import io.forebay.ring.RingMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The map and the jobs of a cluster at one time. */
record ClusterView(RingMap map, Map<String, Job> jobsByToken) {
  ClusterView {
    jobsByToken = Map.copyOf(jobsByToken);
  }

  static ClusterView of(RingMap map, List<Job> jobs) {
    return new ClusterView(map, jobs.stream().collect(Collectors.toMap(Job::token, job -> job)));
  }

  /** The job of a token; null if there was none. */
  @Nullable Job job(String token) {
    return jobsByToken.get(token);
  }
}
