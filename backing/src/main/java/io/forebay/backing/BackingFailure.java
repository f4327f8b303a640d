// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * Why a store did not do what it was asked to. Each has a sentence for people that names the thing
 * and, where there is one, the remedy.
 */
public sealed interface BackingFailure {
  /** What whoever drains does next. */
  enum Advice {
    /** Try again, with growing pauses: it may pass by itself. */
    TRY_AGAIN,
    /** Someone has to act; try again now and then, and tell people meanwhile. */
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

  /** It does not answer, or has trouble of its own. What was asked may have been done. */
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

  /** A file is not as Forebay left or found it: somebody has to say which version is to count. */
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
