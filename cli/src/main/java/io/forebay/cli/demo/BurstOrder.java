package io.forebay.cli.demo;

import io.forebay.store.StoreConfig;
import io.forebay.store.directory.LogDirectory;
import java.nio.file.Path;

/** What the process that holds the burst is to do, as its arguments. */
record BurstOrder(Path directory, Path memory, DemoPlan plan, long seed) {
  String[] arguments() {
    StoreConfig config = plan.config();
    return new String[] {
      directory.toString(),
      memory.toString(),
      Integer.toString(config.segmentBytes()),
      Long.toString(config.memoryBytes()),
      Long.toString(config.ssdBytes()),
      Long.toString(plan.burstBytes()),
      Long.toString(seed)
    };
  }

  static BurstOrder parse(String[] arguments) {
    StoreConfig config =
        StoreConfig.hybrid(
            Integer.parseInt(arguments[2]),
            Long.parseLong(arguments[3]),
            Long.parseLong(arguments[4]));
    return new BurstOrder(
        Path.of(arguments[0]),
        Path.of(arguments[1]),
        new DemoPlan(Long.parseLong(arguments[5]), config, false),
        Long.parseLong(arguments[6]));
  }

  LogDirectory.Options options() {
    return LogDirectory.Options.create(directory, plan.config()).withMemoryRoot(memory);
  }
}
