// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * Why a request to a store failed. Each failure has a sentence for users that names the thing and,
 * if there is one, the remedy.
 */
public sealed interface BackingFailure {
  /** What the drain does next. */
  enum Advice {
    /** Retry with growing pauses: the failure may pass without help. */
    TRY_AGAIN,
    /** The operator has to act; retry at intervals, and report the failure until it is fixed. */
    TELL_AND_WAIT,
    /** This attempt is lost; begin another. */
    BEGIN_AGAIN,
    /** The answer is final. */
    ACCEPT
  }

  String sentence();

  Advice advice();

  /** Nothing has that name. */
  record NotFound(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.ACCEPT;
    }
  }

  /** The name is taken. */
  record Exists(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.ACCEPT;
    }
  }

  /** The directory is not empty. */
  record NotEmpty(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.ACCEPT;
    }
  }

  /** A directory where a file is needed, or the other way round, or a symbolic link on the way. */
  record WrongKind(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  record NoPermission(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  /** The store is full, or a quota is used up. */
  record NoSpace(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  /** The store refuses these credentials, or there are none. */
  record WrongCredentials(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  /** The directory or the bucket that the store is made of is not there. */
  record NoRoot(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  /** The store does not answer, or has internal trouble. The request may have been carried out. */
  record Unavailable(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TRY_AGAIN;
    }
  }

  /** Someone else has changed, replaced or removed what this was about. */
  record Changed(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.BEGIN_AGAIN;
    }
  }

  /** A file is not as Forebay left or found it: the operator has to decide which version counts. */
  record ChangedUnderneath(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TELL_AND_WAIT;
    }
  }

  /** This store cannot do it at all. */
  record Unsupported(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.ACCEPT;
    }
  }

  /** Anything else, in the store's own words. */
  record Other(String sentence) implements BackingFailure {
    @Override
    public Advice advice() {
      return Advice.TRY_AGAIN;
    }
  }
}
