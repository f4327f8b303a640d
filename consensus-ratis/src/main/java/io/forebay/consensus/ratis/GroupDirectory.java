// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node: who it is, whether it founded the group, what the group begins with, and
 * the folder of the engine. One thread at a time.
 *
 * <p>A group is founded in this order: 1. the initial state is written, 2. the identity is written,
 * and from then on the directory has a group, 3. the first leader puts the state into the log, 4.
 * it removes the file. A crash at any point leaves a directory that goes on from there.
 */
final class GroupDirectory {
  private static final int IDENTITY_KIND = 1;
  private static final int STATE_KIND = 2;
  private static final int INCARNATION_BYTES = 8;

  private final Path directory;
  private final Peer self;
  private final boolean founder;

  private GroupDirectory(Path directory, Peer self, boolean founder) {
    this.directory = directory;
    this.self = self;
    this.founder = founder;
  }

  /** Makes an empty directory one of a founder. */
  static void found(GroupConfig config, @Nullable Bytes state) throws IOException {
    Path directory = config.directory();
    OwnerOnly.createDirectories(directory);
    if (Files.exists(identityFile(directory))) {
      throw new IOException(
          "'%s' belongs to a group of managers already; give an empty directory"
              .formatted(directory));
    }
    if (state != null) SealedFile.write(stateFile(directory), STATE_KIND, state.asBuffer());
    else Files.deleteIfExists(stateFile(directory));
    writeIdentity(config, true);
  }

  /** Opens a directory; one without an identity gets one that waits for a group. */
  static GroupDirectory open(GroupConfig config) throws IOException {
    Path directory = config.directory();
    OwnerOnly.createDirectories(directory);
    Path file = identityFile(directory);
    if (!Files.exists(file)) {
      Files.deleteIfExists(stateFile(directory));
      writeIdentity(config, false);
    }
    String[] words =
        StandardCharsets.UTF_8
            .decode(SealedFile.read(file, IDENTITY_KIND))
            .toString()
            .split(" ", -1);
    if (words.length != 4) throw new IOException("'" + file + "' is damaged");
    requireSame(directory, "of manager", words[0], config.name());
    requireSame(
        directory, "of cluster", UUID.fromString(words[2]).toString(), "" + config.cluster());
    GroupConfig.Addresses addresses = config.addresses();
    Peer self = new Peer(config.name(), words[1], addresses.peer().toString(), addresses.client());
    return new GroupDirectory(directory, self, Boolean.parseBoolean(words[3]));
  }

  private static void requireSame(Path directory, String of, String found, String given)
      throws IOException {
    if (found.equals(given)) return;
    throw new IOException(
        "'%s' is %s '%s', not '%s'; give that name, or an empty directory"
            .formatted(directory, of, found, given));
  }

  private static void writeIdentity(GroupConfig config, boolean founder) throws IOException {
    byte[] incarnation = new byte[INCARNATION_BYTES];
    new SecureRandom().nextBytes(incarnation);
    String words =
        String.join(
            " ",
            config.name(),
            HexFormat.of().formatHex(incarnation),
            config.cluster().toString(),
            Boolean.toString(founder));
    ByteBuffer content = ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8));
    SealedFile.write(identityFile(config.directory()), IDENTITY_KIND, content);
  }

  Peer self() {
    return self;
  }

  boolean isFounder() {
    return founder;
  }

  /** The folder of the engine's log and snapshots. */
  Path engine() {
    return directory.resolve("ratis");
  }

  /** What the group begins with and is not in its log yet; null for nothing. */
  @Nullable Bytes initialState() throws IOException {
    Path file = stateFile(directory);
    if (!Files.exists(file)) return null;
    return Bytes.copyOf(SealedFile.read(file, STATE_KIND));
  }

  /** The initial state is in the log of the group. */
  void removeInitialState() throws IOException {
    if (Files.deleteIfExists(stateFile(directory))) SealedFile.forceDirectory(stateFile(directory));
  }

  private static Path identityFile(Path directory) {
    return directory.resolve("node");
  }

  private static Path stateFile(Path directory) {
    return directory.resolve("initial-state");
  }
}
