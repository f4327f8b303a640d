// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.ConsensusGroup;
import io.forebay.server.consensus.ConsensusProvider;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.wire.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Groups on Apache Ratis; found as a service. Any thread. */
public final class RatisProvider implements ConsensusProvider {
  @Override
  public void found(GroupConfig config, @Nullable Bytes state) throws IOException {
    requireSafe(config);
    GroupDirectory.found(config, state);
  }

  @Override
  public ConsensusGroup open(GroupConfig config, Environment environment) throws IOException {
    requireSafe(config);
    return RatisConsensus.open(config, environment, GroupTimes.DEFAULT);
  }

  /** Without certificates any process that reaches the port could write the log. */
  static void requireSafe(GroupConfig config) throws IOException {
    if (config.tls() != null) return;
    requireLoopback(config.addresses().listen());
    requireLoopback(config.addresses().peer());
  }

  private static void requireLoopback(Address.Inet address) throws IOException {
    try {
      if (InetAddress.getByName(address.host()).isLoopbackAddress()) return;
    } catch (UnknownHostException e) {
      throw new IOException("the host of '" + address + "' is unknown; give its address", e);
    }
    throw new IOException(
        "several managers need certificates, since '%s' is not on the loopback; set tls-certificate, tls-key and tls-ca, or let the cluster have a CA"
            .formatted(address));
  }
}
