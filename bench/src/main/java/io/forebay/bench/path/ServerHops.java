// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Rounds;
import io.forebay.bench.path.peer.HelperLink;
import io.forebay.bench.path.peer.NullServerLink;
import io.forebay.bench.process.CpuTime;
import io.forebay.bench.transfer.Cost;
import io.forebay.bench.transfer.Payloads;
import io.forebay.bench.transfer.Transfer;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A server that keeps nothing, with as many clients as the path has: the network layer alone. */
final class ServerHops {
  /** The processor time of the process that has the server. */
  interface ServerCpu {
    long nanos() throws IOException;
  }

  /** Taking and giving. */
  record Measured(Hop takes, Hop gives) {}

  private final PathScale scale;
  private final PathOptions options;
  private final ByteBuffer source;

  ServerHops(PathScale scale, PathOptions options, ByteBuffer source) {
    this.scale = scale;
    this.options = options;
    this.source = source;
  }

  Measured measure(Address helper, ServerCpu cpu) throws IOException, InterruptedException {
    Address server = HelperLink.nullServerOf(helper);
    Transfer transfer = scale.transfer(options.transferBytes(), options.clients());
    List<Rounds.Trial<Cost>> trials =
        List.of(
            () -> cost(server, cpu, transfer, this::put),
            () -> cost(server, cpu, transfer, this::get));
    List<List<Cost>> costs = Rounds.run(scale.rounds(), scale.warmUps(), trials);
    String clients = " x" + options.clients();
    return new Measured(
        new Hop("server without storage: takes" + clients, costs.get(0)),
        new Hop("server without storage: gives" + clients, costs.get(1)));
  }

  private interface Move {
    void all(NullServerLink link, Transfer transfer) throws IOException;
  }

  private void put(NullServerLink link, Transfer transfer) throws IOException {
    Payloads pieces = Payloads.of(source, transfer.payloadBytes());
    link.put(transfer, pieces::next);
  }

  private void get(NullServerLink link, Transfer transfer) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(transfer.payloadBytes());
    link.get(transfer, into::duplicate);
  }

  private Cost cost(Address server, ServerCpu cpu, Transfer transfer, Move move)
      throws IOException, InterruptedException {
    long before = CpuTime.nanos() + cpu.nanos();
    long nanos =
        Together.preparedNanos(
            options.clients(), index -> new Client(NullServerLink.connect(server), transfer, move));
    return new Cost(
        transfer.bytes() * options.clients(), nanos, CpuTime.nanos() + cpu.nanos() - before);
  }

  /** A connection belongs to the thread that makes it. */
  private record Client(NullServerLink link, Transfer transfer, Move move)
      implements Together.Prepared {
    @Override
    public void run() throws IOException {
      move.all(link, transfer);
    }

    @Override
    public void close() {
      link.close();
    }
  }
}
