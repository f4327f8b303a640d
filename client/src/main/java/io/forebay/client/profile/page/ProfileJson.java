// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.client.profile.AccessCounts;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.CallCounts;
import io.forebay.client.profile.CommonValue;
import io.forebay.client.profile.FileProfile;
import io.forebay.client.profile.Order;
import io.forebay.client.profile.ProgramProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything of a profile, for {@link io.forebay.base.Json}. Any thread. */
public final class ProfileJson {
  private ProfileJson() {}

  public static Map<String, @Nullable Object> of(ProgramProfile program) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("instance", program.instance());
    tree.put("user", program.user());
    tree.put("program", program.program());
    tree.put("processes", program.processes());
    tree.put("stripeBytes", program.stripeBytes());
    tree.put("words", Sentences.of(program));
    tree.put("writes", of(program.writes()));
    tree.put("reads", of(program.reads()));
    tree.put("calls", of(program.calls()));
    tree.put("filesSeen", program.filesSeen());
    List<Object> files = new ArrayList<>();
    for (FileProfile file : program.files()) files.add(of(file));
    tree.put("files", files);
    List<Object> advice = new ArrayList<>();
    for (Advice each : Advice.of(program)) {
      advice.add(Map.of("rule", each.word(), "text", each.text()));
    }
    tree.put("advice", advice);
    return tree;
  }

  private static Map<String, Object> of(FileProfile file) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("number", file.number());
    tree.put("path", file.path());
    tree.put("missedBytesMax", file.missedBytes());
    tree.put("writers", file.writers());
    tree.put("readers", file.readers());
    tree.put("writes", of(file.writes()));
    tree.put("reads", of(file.reads()));
    tree.put("calls", of(file.calls()));
    return tree;
  }

  private static Map<String, Object> of(AccessCounts accesses) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("count", accesses.count());
    tree.put("bytes", accesses.bytes());
    for (Order order : Order.values()) tree.put(order.word(), accesses.of(order));
    tree.put("pageUnaligned", accesses.pageUnaligned());
    tree.put("stripeUnaligned", accesses.stripeUnaligned());
    tree.put("stripeCrossing", accesses.stripeCrossing());
    Map<String, Object> sizes = new LinkedHashMap<>();
    for (int i = 0; i < accesses.buckets().size(); i++) {
      long count = accesses.buckets().get(i);
      if (count > 0) sizes.put(Long.toString(AccessCounts.bucketBytesMin(i)), count);
    }
    tree.put("sizesFrom", sizes);
    tree.put("commonSizes", of(accesses.sizes()));
    tree.put("commonStrides", of(accesses.strides()));
    return tree;
  }

  private static List<Object> of(List<CommonValue> values) {
    List<Object> list = new ArrayList<>();
    for (CommonValue each : values) {
      list.add(Map.of("bytes", each.value(), "count", each.count()));
    }
    return list;
  }

  private static Map<String, Object> of(CallCounts calls) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (Call call : Call.values()) {
      if (calls.count(call) == 0) continue;
      tree.put(call.word(), Map.of("count", calls.count(call), "nanos", calls.nanos(call)));
    }
    return tree;
  }
}
