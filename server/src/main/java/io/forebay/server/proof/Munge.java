// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Makes and checks credentials of MUNGE. The machine's munged signs for the user that calls, with a
 * key that all machines of a site share, and remembers which credentials were used. Any thread;
 * calls block until munged answers.
 */
public final class Munge {
  /** MUNGE refused; the message is a sentence for people. */
  public static class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String sentence) {
      super(sentence);
    }

    /** The message. */
    public String sentence() {
      return String.valueOf(getMessage());
    }
  }

  /** MUNGE is not there now; the message is a sentence for people. */
  public static final class Unavailable extends Refused {
    private static final long serialVersionUID = 1L;

    Unavailable(String sentence) {
      super(sentence);
    }
  }

  /**
   * What a credential says.
   *
   * @param user the user that made it
   * @param payload what that user put into it
   */
  public record Decoded(int user, int group, String payload) {}

  private static final int OPTION_SOCKET = 8;
  private static final int SUCCESS = 0;
  private static final int SOCKET = 6;
  private static final int TIMEOUT = 7;
  private static final int INVALID = 14;
  private static final int EXPIRED = 15;
  private static final int REWOUND = 16;
  private static final int REPLAYED = 17;
  private static final int UNAUTHORIZED = 18;

  /** munged's socket; null for the usual one. */
  private final @Nullable Path socket;

  /**
   * With a munged.
   *
   * @param socket where it listens; null for the usual place
   */
  public Munge(@Nullable Path socket) {
    this.socket = socket;
  }

  /** Whether the library is there; munged may not run even so. */
  @SuppressWarnings("restricted") // Processes are started with native access.
  public static boolean isInstalled() {
    // Without the class of its calls, which needs it.
    try (Arena arena = Arena.ofConfined()) {
      return SymbolLookup.libraryLookup(MungeLibrary.FILE, arena).find("munge_decode").isPresent();
    } catch (IllegalArgumentException missing) {
      return false;
    }
  }

  /** Makes a credential and decodes it: both must work. */
  public void probe() throws Refused {
    decode(encode("").getBytes(StandardCharsets.US_ASCII));
  }

  /** A credential of the user of this process. */
  public String encode(String payload) throws Refused {
    requireInstalled();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ValueLayout.ADDRESS);
      byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
      MemorySegment text = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      MemorySegment context = context(arena);
      int error;
      try {
        error = MungeLibrary.encode(made, context, text, bytes.length);
      } finally {
        MungeLibrary.end(context);
      }
      requireSuccess(error);
      MemorySegment credential = made.get(NativeText.ADDRESS, 0);
      try {
        return credential.getString(0);
      } finally {
        MungeLibrary.free(credential);
      }
    }
  }

  /** What a credential says; each is taken once, and not for long. */
  public Decoded decode(byte[] credential) throws Refused {
    requireInstalled();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(credential.length + 1L);
      MemorySegment.copy(credential, 0, text, ValueLayout.JAVA_BYTE, 0, credential.length);
      MemorySegment payload = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment bytes = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment user = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment group = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment context = context(arena);
      int error;
      try {
        error = MungeLibrary.decode(text, context, payload, bytes, user, group);
      } finally {
        MungeLibrary.end(context);
      }
      MemorySegment given = payload.get(NativeText.ADDRESS, 0);
      try {
        // An old or used credential has all of its fields, too.
        requireSuccess(error);
        byte[] content =
            given.asSlice(0, bytes.get(ValueLayout.JAVA_INT, 0)).toArray(ValueLayout.JAVA_BYTE);
        return new Decoded(
            user.get(ValueLayout.JAVA_INT, 0),
            group.get(ValueLayout.JAVA_INT, 0),
            new String(content, StandardCharsets.UTF_8));
      } finally {
        MungeLibrary.free(given);
      }
    }
  }

  private static void requireInstalled() throws Refused {
    if (isInstalled()) return;
    throw new Unavailable(
        "the manager's machine has no MUNGE (" + MungeLibrary.FILE + "); install it there");
  }

  private MemorySegment context(Arena arena) {
    MemorySegment context = MungeLibrary.context();
    if (socket == null) return context;
    MemorySegment path = arena.allocateFrom(socket.toString());
    int error = MungeLibrary.set(context, OPTION_SOCKET, path);
    if (error == SUCCESS) return context;
    MungeLibrary.end(context);
    throw new IllegalStateException("munge_ctx_set: " + MungeLibrary.message(error));
  }

  private static void requireSuccess(int error) throws Refused {
    switch (error) {
      case SUCCESS -> {}
      case SOCKET, TIMEOUT ->
          throw new Unavailable(
              "munged does not answer on the manager's machine (%s); start it there"
                  .formatted(MungeLibrary.message(error)));
      case INVALID ->
          throw new Refused(
              "the credential of MUNGE is not valid on the manager's machine; give both machines"
                  + " the same munge.key");
      case EXPIRED ->
          throw new Refused(
              "the credential of MUNGE has expired; compare the clocks of both machines");
      case REWOUND ->
          throw new Refused(
              "the credential of MUNGE is from the future; compare the clocks of both machines");
      case REPLAYED -> throw new Refused("the credential of MUNGE was used before; connect again");
      case UNAUTHORIZED -> throw new Refused("the credential of MUNGE is for another user");
      default ->
          throw new Refused("it is no credential of MUNGE (" + MungeLibrary.message(error) + ")");
    }
  }
}
