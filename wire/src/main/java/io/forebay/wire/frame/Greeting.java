// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

import io.forebay.wire.Network;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import org.jspecify.annotations.Nullable;

/** The handshake, the same on every network. */
public final class Greeting {
  private Greeting() {}

  /** The answer of the listening end: it uses the highest version that both support. */
  public static Handshake.Answer answer(Handshake.Hello hello, Network.Door door) {
    int version = Math.min(hello.versionMax(), Handshake.VERSION_MAX);
    if (version < Math.max(hello.versionMin(), Handshake.VERSION_MIN)) {
      return new Handshake.Refusal(
          ErrorCode.WRONG_VERSION,
          "you speak versions %d to %d of the protocol, this end %d to %d"
              .formatted(
                  hello.versionMin(),
                  hello.versionMax(),
                  Handshake.VERSION_MIN,
                  Handshake.VERSION_MAX));
    }
    Handshake.Answer answer = door.answer(hello);
    return answer instanceof Handshake.Welcome welcome
        ? new Handshake.Welcome(
            version, welcome.cluster(), welcome.creditBytes(), welcome.payloadBytesMax())
        : answer;
  }

  /** Whether a refusal stays the same if the client retries soon. */
  public static boolean isFinal(Handshake.Answer answer) {
    return !(answer instanceof Handshake.Refusal refusal)
        || (refusal.code() != ErrorCode.UNAVAILABLE && refusal.code() != ErrorCode.BUSY);
  }

  /** Why the end that dialled cannot go on with an answer, or null if it can. */
  public static @Nullable String objection(
      Handshake.Hello hello, Handshake.Answer answer, String remote) {
    if (answer instanceof Handshake.Refusal refusal) {
      return remote + " refused the connection (" + refusal.code() + "): " + refusal.detail();
    }
    int version = ((Handshake.Welcome) answer).version();
    if (version >= hello.versionMin() && version <= hello.versionMax()) return null;
    return remote + " chose version " + version + " of the protocol, which was not offered";
  }
}
