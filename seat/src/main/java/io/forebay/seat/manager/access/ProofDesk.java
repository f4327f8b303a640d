// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.access;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.seat.manager.desk.Caller;
import io.forebay.seat.manager.desk.ManagerEvents;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.LogPace;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Principal;
import io.forebay.wire.proof.UserCredential;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes credentials that prove users, and tells callers which user they have proved:
 *
 * <ol>
 *   <li>The caller sends a credential over TLS. Its further requests wait.
 *   <li>Another process checks the credential, within {@link #CHECK_NANOS_MAX}.
 *   <li>The credential must name the certificate that this manager has shown on this connection: it
 *       was made for this manager.
 *   <li>The user must not be root: root of another machine is not root of the cluster.
 *   <li>The connection has that user from now on, with the groups that this machine knows.
 * </ol>
 */
public final class ProofDesk {
  static final long CHECK_NANOS_MAX = 5_000_000_000L;

  /** Credentials that are checked at the same time. */
  static final int CHECKS_MAX = Math.toIntExact(Limit.CREDENTIAL_CHECKS.value());

  /** Credentials of one connection that may be refused. */
  static final int REFUSALS_MAX = 3;

  private final Callers callers;
  private final CredentialCheck credentials;
  private final Timers timers;
  private final Notices notices;
  private final Map<Connection, Integer> refusals = new HashMap<>();
  private int checks;

  /** Where it tells operators what happens. */
  public record Notices(ManagerEvents events, LogPace pace, LimitCounts limits) {
    private void warned(String sentence) {
      pace.log("credentials", () -> sentence, events::warned);
    }
  }

  public ProofDesk(Callers callers, CredentialCheck credentials, Timers timers, Notices notices) {
    this.callers = callers;
    this.credentials = credentials;
    this.timers = timers;
    this.notices = notices;
  }

  public void closed(Connection connection) {
    refusals.remove(connection);
  }

  /** Tells a caller its user. */
  public void tell(Caller caller) {
    callers.refresh(
        caller.connection(),
        principal -> {
          if (principal instanceof Principal.User user) {
            caller.answer(new Access.UserIs(user.identity()));
          } else {
            caller.fail(ErrorCode.INVALID, principal.describe() + " acts for more than one user");
          }
        });
  }

  /** A caller proves its user. */
  public void prove(Access.Prove request, Caller caller) {
    Connection from = caller.connection();
    String objection = objection(from, request.credential());
    if (objection != null) {
      caller.fail(ErrorCode.REFUSED, objection);
    } else if (checks >= CHECKS_MAX) {
      notices.limits().reached(Limit.CREDENTIAL_CHECKS);
      caller.fail(
          ErrorCode.BUSY, CHECKS_MAX + " credentials are being checked; send it again later");
    } else {
      from.stop();
      checks++;
      Check check = new Check(caller);
      credentials.check(request.credential(), check::ended);
      if (!check.over) check.limit = timers.after(CHECK_NANOS_MAX, check::late);
    }
  }

  /** Why a credential is not even checked, or null. */
  private @Nullable String objection(Connection from, Bytes credential) {
    if (from.peer().certificate().isProven()) {
      return "this connection has a certificate, which proves what it may do; connect without one";
    }
    if (from.channelBinding().length() == 0) {
      return "a credential is taken over TLS only; set FOREBAY_TLS_CA";
    }
    if (refusals.getOrDefault(from, 0) >= REFUSALS_MAX) {
      return "%d credentials of this connection were refused; connect again"
          .formatted(REFUSALS_MAX);
    }
    boolean possible = credential.length() > 0 && credential.length() <= UserCredential.BYTES_MAX;
    return possible ? null : "it is no credential of MUNGE; make one with the program 'munge'";
  }

  /** A credential counts for the manager whose certificate it names (P32). */
  @Rule("P32")
  private static boolean isFor(Connection connection, String content) {
    return content.equals(UserCredential.content(connection.channelBinding()));
  }

  /** A credential proves any user but root (P32). */
  @Rule("P32")
  private static boolean mayBeProved(Identity user) {
    return user.user() != Identity.ROOT;
  }

  private final class Check {
    private final Caller caller;
    private Timers.@Nullable Timer limit;
    private boolean over;

    Check(Caller caller) {
      this.caller = caller;
    }

    void late() {
      ended(
          new CredentialCheck.Result.Unavailable(
              "munged on the manager's machine does not answer; look at its log there"));
    }

    void ended(CredentialCheck.Result result) {
      if (over) return;
      over = true;
      if (limit != null) limit.cancel();
      checks--;
      switch (result) {
        case CredentialCheck.Result.Refused refused -> refuse(refused.sentence());
        case CredentialCheck.Result.Unavailable not -> {
          notices.warned("users cannot prove themselves by MUNGE now: " + not.sentence());
          caller.connection().start();
          caller.fail(ErrorCode.UNAVAILABLE, not.sentence());
        }
        case CredentialCheck.Result.Genuine genuine -> genuine(genuine);
      }
    }

    private void genuine(CredentialCheck.Result.Genuine credential) {
      Connection from = caller.connection();
      if (!isFor(from, credential.content())) {
        refuse(
            "the credential of MUNGE was made for another service or manager; connect to this"
                + " manager by its own address");
      } else if (mayBeProved(credential.user())) {
        callers.proved(from, credential.user(), caller::done);
      } else if (callers.of(from) instanceof Principal.Operator) {
        // Root of this machine, as the kernel says.
        from.start();
        caller.done();
      } else {
        refuse(
            "root of another machine is not root of the cluster; use a certificate of an"
                + " administrator, or run as a user");
      }
    }

    private void refuse(String sentence) {
      Connection from = caller.connection();
      if (from.isOpen()) refusals.merge(from, 1, Integer::sum);
      from.start();
      caller.fail(ErrorCode.REFUSED, sentence);
    }
  }
}
