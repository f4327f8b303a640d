// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.use;

import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.use.InstanceUsage;
import io.forebay.ring.Instance;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was written and read of several instances together.
 *
 * @param key the user's number or the pool's name that the instances have in common
 */
record UsageSum(
    String key,
    int instances,
    long capacityBytes,
    long writtenBytes,
    long windowBytes,
    long readBytes,
    long ssdBytes,
    long heldBytes,
    long filesCreated,
    int groupsMissing) {
  /** What instances are added up by. */
  enum By {
    USER {
      @Override
      String keyOf(Instance instance) {
        return Integer.toUnsignedString(instance.owner());
      }
    },
    POOL {
      @Override
      String keyOf(Instance instance) {
        String pool = instance.allocation().pool();
        return pool.isEmpty() ? "-" : pool;
      }
    };

    abstract String keyOf(Instance instance);

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A sum for each user or pool, in the order of their names. */
  static List<UsageSum> of(List<InstanceUsage> usages, By by) {
    Map<String, UsageSum> sums = new TreeMap<>();
    for (InstanceUsage usage : usages) {
      String key = by.keyOf(usage.instance());
      UsageSum before = sums.getOrDefault(key, new UsageSum(key, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      sums.put(key, before.and(usage));
    }
    return List.copyOf(sums.values());
  }

  private UsageSum and(InstanceUsage usage) {
    return new UsageSum(
        key,
        instances + 1,
        capacityBytes + usage.instance().capacityBytes(),
        writtenBytes + usage.writtenBytes(),
        windowBytes + usage.windowBytes(),
        readBytes + usage.readBytes(),
        ssdBytes + usage.ssdBytes(),
        heldBytes + usage.heldBytes(),
        filesCreated + usage.filesCreated(),
        Math.max(groupsMissing, usage.groupsMissing()));
  }

  static void print(List<UsageSum> sums, By by, PrintWriter out) {
    Table table =
        new Table(
            1,
            by.toString(),
            "instances",
            "capacity",
            "written",
            "window",
            "read",
            "ssd",
            "held",
            "files");
    for (UsageSum sum : sums) {
      table.row(
          sum.key,
          Integer.toString(sum.instances),
          Brief.size(sum.capacityBytes),
          Brief.size(sum.writtenBytes),
          Brief.size(sum.windowBytes),
          Brief.size(sum.readBytes),
          Brief.size(sum.ssdBytes),
          Brief.size(sum.heldBytes),
          Long.toString(sum.filesCreated));
    }
    table.print(out);
  }

  Map<String, @Nullable Object> json(By by) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put(by.toString(), by == By.USER ? (Object) Long.parseLong(key) : key);
    json.put("instances", instances);
    json.put("capacityBytes", capacityBytes);
    json.put("groupsMissing", groupsMissing);
    json.put("writtenBytes", writtenBytes);
    json.put("windowBytes", windowBytes);
    json.put("readBytes", readBytes);
    json.put("ssdWrittenBytes", ssdBytes);
    json.put("heldBytes", heldBytes);
    json.put("filesCreated", filesCreated);
    return json;
  }
}
