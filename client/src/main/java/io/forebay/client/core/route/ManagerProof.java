// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.wire.Connection;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.UserCredential;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Proves the client's user to the manager by a credential on each new connection:
 *
 * <ol>
 *   <li>The other end must have shown the certificate of a manager; no other gets a credential.
 *   <li>A credential is made that names this certificate.
 *   <li>It is sent first. Requests wait until the manager has taken it.
 *   <li>After a failure nothing is sent for {@link #PAUSE_NANOS}; requests fail with its sentence.
 *       Then it is tried again.
 * </ol>
 */
final class ManagerProof implements Proving {
  static final long PAUSE_NANOS = 3_000_000_000L;

  private final UserProof.Maker maker;
  private final Timers timers;
  private final Runnable again;
  private Replies.@Nullable Failed failure;

  /**
   * Has proved nothing yet.
   *
   * @param again called when it may be tried again after a failure
   */
  ManagerProof(UserProof.Maker maker, Timers timers, Runnable again) {
    this.maker = maker;
    this.timers = timers;
    this.again = again;
  }

  @Override
  public Replies.@Nullable Failed refusal() {
    return failure;
  }

  @Override
  public void introduce(Connection opened, Introduction introduction) {
    if (isManager(opened)) {
      maker.make(UserCredential.content(opened.channelBinding()), made -> made(made, introduction));
    } else {
      String sentence = opened.remote() + " is no manager by its certificate; dial the manager";
      introduction.fails(failed(ErrorCode.REFUSED, sentence));
    }
  }

  /** A credential goes to a manager, whose certificate it names. */
  private static boolean isManager(Connection opened) {
    CertificateName name = CertificateName.of(opened.peer().certificate().names());
    return name != null
        && name.role() == CertificateName.Role.MANAGER
        && opened.channelBinding().length() > 0;
  }

  private void made(UserProof.Made made, Introduction introduction) {
    if (made instanceof UserProof.Made.Credential credential) {
      byte[] text = credential.text().getBytes(StandardCharsets.US_ASCII);
      introduction.proves(new Access.Prove(Bytes.copyOf(text)));
    } else if (made instanceof UserProof.Made.Failed failed) {
      introduction.fails(failed(ErrorCode.REFUSED, failed.sentence()));
    }
  }

  @Override
  public void refused(Replies.Failed refusal) {
    failed(refusal.code(), refusal.detail());
  }

  private Replies.Failed failed(ErrorCode code, String sentence) {
    Replies.Failed now = new Replies.Failed(code, sentence);
    failure = now;
    timers.after(
        PAUSE_NANOS,
        () -> {
          failure = null;
          again.run();
        });
    return now;
  }

  @Override
  public void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal) {
    renewal.reconnects();
  }
}
