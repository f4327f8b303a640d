// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.certificate;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.seat.audit.ManagerAudit;
import io.forebay.seat.manager.desk.Decisions;
import io.forebay.seat.manager.state.CertificateBook;
import io.forebay.seat.manager.state.CertificateBook.Token;
import io.forebay.seat.manager.state.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tells the audit of tokens that expire before all their uses are taken, and has the agreed state
 * forget them. The state has no clock, so the manager that leads looks at its own. Called by the
 * manager's loop.
 */
final class TokenExpiry {
  private static final long LOOK_NANOS = 5_000_000_000L;

  private final CertificateBook book;
  private final Decisions decisions;
  private final ManagerAudit audit;
  private final LongSupplier nowSeconds;

  /** Those that can still be used; the book may forget them before the audit is told. */
  private final Map<Bytes, Token> usable = new LinkedHashMap<>();

  TokenExpiry(
      CertificateBook book, Decisions decisions, ManagerAudit audit, LongSupplier nowSeconds) {
    this.book = book;
    this.decisions = decisions;
    this.audit = audit;
    this.nowSeconds = nowSeconds;
  }

  /** Looks at intervals from now on, while the manager decides. */
  void start(Timers timers, BooleanSupplier decides) {
    timers.after(
        LOOK_NANOS,
        () -> {
          if (decides.getAsBoolean()) look();
          start(timers, decides);
        });
  }

  /** A token was made or used. */
  void changed(Bytes secretHash) {
    Token token = book.token(secretHash);
    if (token == null) return;
    if (token.usesLeft() > 0) usable.put(secretHash, token);
    else usable.remove(secretHash);
  }

  private void look() {
    for (Token each : book.tokens()) changed(each.secretHash());
    long now = nowSeconds.getAsLong();
    List<Token> expired = new ArrayList<>();
    for (Token each : usable.values()) {
      if (each.expirySeconds() <= now) expired.add(each);
    }
    boolean known = false;
    for (Token each : expired) {
      usable.remove(each.secretHash());
      known |= book.token(each.secretHash()) != null;
      audit.tokenExpired(each.secretHash(), each.role(), each.name(), each.usesLeft());
    }
    // Not told again by the next term.
    if (known) decisions.propose(Command.forgetExpired(now), result -> {}, why -> {});
  }
}
