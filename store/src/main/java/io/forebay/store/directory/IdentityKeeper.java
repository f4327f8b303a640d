package io.forebay.store.directory;

import java.io.IOException;
import java.nio.file.Path;

/** The identity of an open log, and the moments at which it changes. Called by its owner only. */
final class IdentityKeeper {
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

  /** From now on a part of the memory tier dies with this process. */
  void anonymousMemoryInUse() throws IOException {
    if (!identity.anonymous()) replace(identity.withAnonymous());
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
