// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The identity of an open log, and its changes. Called by the log's owner only. */
final class IdentityKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityKeeper.class);

  private final Path directory;
  private LogIdentity identity;

  IdentityKeeper(Path directory, LogIdentity identity) {
    this.directory = directory;
    this.identity = identity;
  }

  Path directory() {
    return directory;
  }

  LogIdentity identity() {
    return identity;
  }

  /**
   * From now on records may be in memory that dies with this process; false if that cannot be
   * recorded.
   */
  boolean anonymousMemoryInUse() {
    if (identity.anonymous()) return true;
    try {
      replace(identity.withAnonymous(true));
      return true;
    } catch (IOException failure) {
      LOG.warn("anonymous memory cannot be used, since the log cannot say so", failure);
      return false;
    }
  }

  /** No record is in memory that dies with this process. */
  void nothingInAnonymousMemory() throws IOException {
    if (identity.anonymous()) replace(identity.withAnonymous(false));
  }

  /** Its owner knows that memory was lost and has acted on it, durably. */
  void lossAcknowledged() throws IOException {
    if (identity.lost()) replace(identity.withoutLoss());
  }

  private void replace(LogIdentity next) throws IOException {
    IdentityFile.write(directory, next);
    identity = next;
  }
}
