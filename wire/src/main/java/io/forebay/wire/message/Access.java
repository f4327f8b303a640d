// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

import io.forebay.base.Bytes;
import java.util.List;

/**
 * How users are proved, the capabilities that they get, the keys that sign these, and which
 * certificates count no more.
 */
public interface Access {
  /**
   * From a client to the manager, over TLS: a credential of MUNGE that proves its user, for the
   * following requests of this connection. Its content is that of {@link
   * io.forebay.wire.proof.UserCredential}. Answered with Done; with Failed of REFUSED if the
   * credential proves nothing, of UNAVAILABLE if it cannot be checked now.
   */
  record Prove(Bytes credential) implements Message {}

  /**
   * From a client to the manager: which user has this connection proved? Answered with {@link
   * UserIs}, or Failed with INVALID if it may act for several.
   */
  record GetUser() implements Message {}

  /** The user, with all groups that the manager knows. */
  record UserIs(Identity user) implements Message {}

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
