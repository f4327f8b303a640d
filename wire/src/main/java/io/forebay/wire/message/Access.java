// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import java.util.List;

/**
 * The capabilities that the manager gives to proved users, the keys that sign them, and which
 * certificates count no more.
 */
public interface Access {
  /**
   * From a client to the manager: a capability for the user that this connection has proved.
   * Answered with {@link CapabilityIs}, or Failed with ACCESS_DENIED or UNKNOWN_INSTANCE.
   *
   * @param instance the name; empty for the cluster as a whole
   * @param credential the secret of the job whose instance it is; empty for none
   */
  record GetCapability(String instance, Bytes credential) implements Message {
    /** Without the secret of a job. */
    public GetCapability(String instance) {
      this(instance, Bytes.EMPTY);
    }

    /** Says nothing of the secret. */
    @Override
    public String toString() {
      return "GetCapability[" + instance + "]";
    }
  }

  /**
   * A signed capability.
   *
   * @param lastsNanos how long it lasts from now on; the client asks for another before
   */
  record CapabilityIs(Bytes capability, long lastsNanos) implements Message {}

  /**
   * From a client to a seat, for the following requests of this connection. Answered with Done;
   * with Failed of UNPROVED if the capability is not valid, of UNAVAILABLE if the seat does not
   * know the key yet.
   */
  record Present(Bytes capability) implements Message {}

  /** A key that signs capabilities. */
  record Key(int id, Bytes bytes) {}

  /** From a seat to the manager. Answered with {@link KeysAre}. */
  record GetKeys() implements Message {}

  /** The keys whose capabilities are valid, the newest last. Request 0 if they come unasked. */
  record KeysAre(List<Key> keys) implements Message {
    public KeysAre {
      keys = List.copyOf(keys);
    }
  }

  /**
   * The manager tells proved peers what not to trust, unasked: when they connect, if there is
   * something to tell, and after every change.
   *
   * @param open whether the manager believes every program that reaches it ({@code insecure})
   * @param revoked the serial numbers of revoked certificates that have not expired
   * @param revokedServers the names of servers that have revoked certificates and no other
   */
  record TrustIs(boolean open, List<Long> revoked, List<String> revokedServers) implements Message {
    public TrustIs {
      revoked = List.copyOf(revoked);
      revokedServers = List.copyOf(revokedServers);
    }
  }
}
