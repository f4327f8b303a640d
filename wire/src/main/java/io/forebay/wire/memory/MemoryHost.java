// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.Network;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.proof.PeerCertificate;
import io.forebay.wire.tls.RevokedSerials;
import java.io.IOException;
import java.util.Collection;

/** One life of one host, from start to death. */
final class MemoryHost implements Network {
  /** A listener on a host. */
  final class MemoryListener implements Network.Listener {
    private final Address address;
    private final Door door;
    private final Handler handler;

    MemoryListener(Address address, Door door, Handler handler) {
      this.address = address;
      this.door = door;
      this.handler = handler;
    }

    MemoryHost host() {
      return MemoryHost.this;
    }

    Door door() {
      return door;
    }

    Handler handler() {
      return handler;
    }

    @Override
    public Address address() {
      return address;
    }

    @Override
    public void close() {
      hub.remove(this);
    }
  }

  private final MemoryNetwork hub;
  private final String name;
  private final LimitCounts limits = new LimitCounts();
  private final RevokedSerials refused = new RevokedSerials();
  private boolean alive = true;

  MemoryHost(MemoryNetwork hub, String name) {
    this.hub = hub;
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isAlive() {
    return alive;
  }

  void die() {
    alive = false;
  }

  @Override
  public Connection connect(Address to, Handshake.Hello hello, Handler handler) {
    MemoryConnection connection = MemoryConnection.dialling(hub, this, to, hello, handler);
    // A core that has not noticed its own death reaches no host.
    if (alive) connection.dial(to);
    return connection;
  }

  @Override
  public Listener listen(Address at, Door door, Handler handler) throws IOException {
    Address chosen = at;
    if (at instanceof Address.Inet inet && inet.port() == 0) {
      chosen = new Address.Inet(inet.host(), hub.choosePort());
    }
    if (hub.listener(name, chosen) != null) {
      throw new IOException("cannot listen at " + chosen + ": the address is in use");
    }
    MemoryListener listener = new MemoryListener(chosen, door, handler);
    if (alive) hub.add(listener);
    return listener;
  }

  @Override
  public void refuseCertificates(Collection<Long> serials) {
    refused.set(serials);
    if (!refused.isEmpty()) hub.endRefused(this);
  }

  /** Whether this host accepts the certificate with that number no more. */
  boolean refuses(PeerCertificate certificate) {
    return refused.refuses(certificate);
  }

  @Override
  public LimitCounts limits() {
    return limits;
  }
}
