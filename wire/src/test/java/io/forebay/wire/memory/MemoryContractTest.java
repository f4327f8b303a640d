// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.base.Timers;
import io.forebay.wire.Address;
import io.forebay.wire.Network;
import io.forebay.wire.NetworkContract;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.proof.PeerProof;
import java.util.List;
import java.util.SplittableRandom;

/** The contract in memory, with messages that take time. */
class MemoryContractTest extends NetworkContract {
  @Override
  protected World newWorld() {
    long[] now = {1000};
    Timers timers = new Timers(() -> now[0]);
    MemoryNetwork hub =
        new MemoryNetwork(timers, new SplittableRandom(1), new MemoryOptions(10, 500, 0, 0));
    hub.prove("there", new PeerProof(new PeerCertificate("CN=there", List.of(), "2a"), null));
    return new World() {
      @Override
      public Network dialling() {
        return hub.at("here");
      }

      @Override
      public Network listening() {
        return hub.at("there");
      }

      @Override
      public Address place() {
        return new Address.Inet("there", 0);
      }

      @Override
      public void step() {
        now[0] += 10;
        timers.runDue();
      }

      @Override
      public void close() {
        hub.kill("here");
        hub.kill("there");
      }
    };
  }
}
