// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs in words and as JSON. Stateless. */
final class JobText {
  private JobText() {}

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static Map<String, @Nullable Object> json(Job job) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("token", job.token());
    json.put("user", job.user());
    json.put("group", job.group());
    json.put("phase", word(job.phase()));
    json.put("creator", job.creator());
    json.put("created", job.created().toString());
    json.put("instance", job.instance().isEmpty() ? null : job.instance());
    json.put("uses", job.uses());
    json.put("nodes", job.nodes());
    json.put("directory", job.directory().isEmpty() ? null : job.directory());
    List<Map<String, @Nullable Object>> stages = new ArrayList<>();
    for (int i = 0; i < job.stages().size(); i++) stages.add(json(job, i));
    json.put("stages", stages);
    return json;
  }

  private static Map<String, @Nullable Object> json(Job job, int position) {
    JobStage stage = job.stages().get(position);
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", JobStage.id(job.token(), position));
    json.put("direction", word(stage.direction()));
    json.put("kind", word(stage.kind()));
    json.put("source", stage.source());
    json.put("destination", stage.destination().isEmpty() ? null : stage.destination());
    return json;
  }
}
