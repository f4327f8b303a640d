// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.Bytes;
import io.forebay.wire.message.Identity;
import java.util.function.Consumer;

/**
 * Finds out which user has made a credential, as the manager's loop sees it: another process is
 * asked, so it is answered later.
 */
public interface CredentialCheck {
  /** What a credential is worth. */
  sealed interface Result {
    /**
     * It is genuine, fresh, and was not used before.
     *
     * @param user the user that made it
     * @param content what that user put into it
     */
    record Genuine(Identity user, String content) implements Result {}

    /** It proves nothing; the sentence says why. */
    record Refused(String sentence) implements Result {}

    /** It cannot be checked now; the sentence says why. */
    record Unavailable(String sentence) implements Result {}
  }

  /** Of a manager that takes no credentials. */
  CredentialCheck NONE =
      (credential, answer) ->
          answer.accept(
              new Result.Refused(
                  "this manager takes no credentials of MUNGE; set 'munge = on' there, or use a"
                      + " token (FOREBAY_TOKEN)"));

  /**
   * Checks a credential.
   *
   * @param answer called once, at once or later, on the loop of the caller
   */
  void check(Bytes credential, Consumer<Result> answer);
}
