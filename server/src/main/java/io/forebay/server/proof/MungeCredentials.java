// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.wire.message.Identity;
import java.util.List;

/**
 * Takes credentials of MUNGE that were made for Forebay: one that a user made for another service,
 * which could pass it on, is refused.
 */
public final class MungeCredentials implements CredentialCheck {
  /** What a credential for Forebay contains. */
  public static final String PURPOSE = "forebay";

  private final Munge munge;
  private final SystemUsers users;

  public MungeCredentials(Munge munge, SystemUsers users) {
    this.munge = munge;
    this.users = users;
  }

  @Override
  public Result check(byte[] credential) {
    try {
      Munge.Decoded decoded = munge.decode(credential);
      if (!decoded.payload().equals(PURPOSE)) {
        return new Result.Refused("the credential of MUNGE was made for something else");
      }
      SystemUsers.User known = users.find(decoded.user());
      return new Result.Proved(
          known == null
              ? new Identity(decoded.user(), List.of(decoded.group()))
              : new Identity(decoded.user(), known.groups()));
    } catch (Munge.Refused e) {
      return new Result.Refused(e.sentence());
    }
  }
}
