// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.base.SeatId;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Cluster;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a server leave the ring. */
@Command(
    name = "leave",
    description = {
      "Make a server leave the ring: others take over its data, then it exits.",
      "Clients continue to read and write. The command waits until the server has left."
    })
final class ServerLeaveCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 200;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "SERVER", description = "Its name, as 'forebay status' shows it.")
  private String server = "";

  @Option(
      names = "--no-wait",
      description = "Only request it; 'forebay status' shows the progress.")
  private boolean askOnly;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter err = spec.commandLine().getErr();
    try (Cluster cluster = remote.cluster();
        Progress progress = Progress.of("leaving", err)) {
      cluster.leave(server);
      int most = 0;
      while (!askOnly) {
        RingMap map = cluster.map();
        int left = groupsLeft(map);
        most = Math.max(most, left);
        if (hasLeft(map)) break;
        progress.update(most - left, most, left + " of " + most + " groups left to move");
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("server " + server + (askOnly ? " leaves the ring" : " has left the ring"));
    return 0;
  }

  private boolean hasLeft(RingMap map) {
    return map.seats().stream()
        .filter(seat -> seat.server().equals(server))
        .allMatch(seat -> seat.stay() == SeatEntry.Stay.LEFT);
  }

  /** The number of groups in which it is still a member. */
  private int groupsLeft(RingMap map) {
    Set<SeatId> leaving = new TreeSet<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.server().equals(server)) leaving.add(seat.id());
    }
    int left = 0;
    for (Group group : map.groups()) {
      if (group.members().stream().anyMatch(member -> leaving.contains(member.seat()))) left++;
    }
    return left;
  }
}
