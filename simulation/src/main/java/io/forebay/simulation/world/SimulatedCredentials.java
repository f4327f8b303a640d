// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Bytes;
import io.forebay.seat.manager.access.CredentialCheck;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.UserCredential;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Credentials as those of MUNGE, of machines that all have its key: each names the user that made
 * it and what that user put into it. The simulated munged finds all of them genuine.
 */
public final class SimulatedCredentials implements CredentialCheck {
  /** Is for no manager. */
  public static final String FOR_OTHERS = "for another service";

  private static final String SEPARATOR = ":";

  /** The credential of a user. */
  public static Bytes of(Identity user, String content) {
    String text = Integer.toUnsignedString(user.user()) + SEPARATOR + content;
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  /** What a credential for the manager with that binding contains. */
  public static String contentFor(Bytes binding) {
    return UserCredential.content(binding);
  }

  @Override
  public void check(Bytes credential, Consumer<Result> answer) {
    String text = new String(credential.toArray(), StandardCharsets.UTF_8);
    String number = text.substring(0, Math.max(0, text.indexOf(SEPARATOR)));
    try {
      int user = Integer.parseUnsignedInt(number);
      String content = text.substring(number.length() + SEPARATOR.length());
      answer.accept(new Result.Genuine(new Identity(user, List.of(user)), content));
    } catch (NumberFormatException e) {
      answer.accept(new Result.Refused("it is no credential"));
    }
  }
}
