// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.MonotonicClock;
import io.forebay.wire.Address;
import io.forebay.wire.Network;
import io.forebay.wire.NetworkContract;
import java.io.IOException;
import java.util.function.Supplier;

/** Two loops on this machine, turned by one thread. */
final class TcpWorld implements NetworkContract.World {
  private final TcpLoop dialling;
  private final TcpLoop listening;
  private final Supplier<Address> places;

  TcpWorld(Supplier<Address> places) throws IOException {
    this(places, new TcpLoop(MonotonicClock.system()), new TcpLoop(MonotonicClock.system()));
  }

  TcpWorld(Supplier<Address> places, TcpLoop dialling, TcpLoop listening) {
    this.places = places;
    this.dialling = dialling;
    this.listening = listening;
  }

  @Override
  public Network dialling() {
    return dialling;
  }

  @Override
  public Network listening() {
    return listening;
  }

  @Override
  public Address place() {
    return places.get();
  }

  @Override
  public void step() {
    boolean worked = dialling.poll(0);
    worked |= listening.poll(0);
    if (!worked) listening.poll(1_000_000);
  }

  @Override
  public void close() {
    dialling.close();
    listening.close();
  }
}
