// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Result;
import io.forebay.bench.path.peer.LocalHelper;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All hops between a client and a server's memory, through helpers here or on other machines. */
final class NetworkPart {
  /** More processes of helpers than that tell no more about many to one. */
  private static final int LOCAL_HELPERS_MAX = 4;

  private static final String TCP = "tcp";
  private static final String UNIX = "unix";

  /**
   * The results, and the hops that the ceilings need.
   *
   * @param out from clients to servers, bare
   */
  record Measured(
      Hop out, Hop in, Hop nullTakes, Hop nullGives, List<Result> several, List<Result> curves) {}

  private final PathGround ground;
  private final PathOptions options;
  private final NetworkHops hops;

  NetworkPart(PathGround ground) {
    this.ground = ground;
    this.options = ground.options();
    this.hops = new NetworkHops(ground.scale(), ground.source(), ground.progress());
  }

  Measured measure() throws IOException, InterruptedException {
    return options.helpers().isEmpty() ? local() : remote(options.helpers());
  }

  private Measured remote(List<Address> helpers) throws IOException, InterruptedException {
    List<Result> curves = hops.curves(TCP, helpers, options.clients());
    return rest(TCP, helpers.getFirst(), () -> 0, helpers, curves);
  }

  private Measured local() throws IOException, InterruptedException {
    Path directory = ground.scratch().onDevice("helpers");
    List<LocalHelper> helpers = new ArrayList<>();
    try {
      LocalHelper unix =
          LocalHelper.start(new Address.Unix(directory.resolve("helper").toString()), directory);
      helpers.add(unix);
      List<Address> tcp = new ArrayList<>();
      for (int i = 0; i < Math.min(LOCAL_HELPERS_MAX, options.clients()); i++) {
        LocalHelper helper = LocalHelper.start(new Address.Inet("127.0.0.1", 0), directory);
        helpers.add(helper);
        tcp.add(helper.address());
      }
      List<Result> curves = new ArrayList<>();
      curves.addAll(hops.curves(UNIX, List.of(unix.address()), options.clients()));
      curves.addAll(hops.curves(TCP, tcp.subList(0, 1), options.clients()));
      // Processes of one machine talk through Unix sockets; a ring that runs elsewhere does not.
      if (options.uri() != null) {
        return rest(TCP, tcp.getFirst(), helpers.get(1)::cpuNanos, tcp, curves);
      }
      return rest(UNIX, unix.address(), unix::cpuNanos, tcp, curves);
    } finally {
      for (LocalHelper helper : helpers) helper.close();
    }
  }

  private Measured rest(
      String transport,
      Address helper,
      ServerHops.ServerCpu cpu,
      List<Address> several,
      List<Result> curves)
      throws IOException, InterruptedException {
    int bytes = options.transferBytes();
    int clients = options.clients();
    String name = "network, " + transport;
    List<Address> one = List.of(helper);
    Hop out = hops.hop(name + ": out x" + clients, transport, one, bytes, clients, true);
    Hop in = hops.hop(name + ": in x" + clients, transport, one, bytes, clients, false);
    ground.progress().measuring("server without storage");
    ServerHops.Measured none =
        new ServerHops(ground.scale(), options, ground.source()).measure(helper, cpu);
    List<Result> many = several.size() > 1 ? hops.manyToOne(several, bytes) : List.of();
    return new Measured(out, in, none.takes(), none.gives(), many, curves);
  }
}
