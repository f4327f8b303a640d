// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import io.forebay.base.Bytes;
import io.forebay.seat.consensus.Peer;
import io.forebay.server.consensus.GroupConfig;
import io.forebay.store.disk.OwnerOnly;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

  // The words of an identity: name, incarnation, cluster, whether it is the founder, addresses.
  private static final int CLUSTER_WORD = 2;
  private static final int FOUNDER_WORD = 3;
  private static final int PEER_WORD = 4;
  private static final int CLIENT_WORD = 5;
  private static final int WORDS = 6;

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

  /** The group of a directory; null for one without an identity. */
  static @Nullable UUID cluster(Path directory) throws IOException {
    return Files.exists(identityFile(directory))
        ? UUID.fromString(words(identityFile(directory))[CLUSTER_WORD])
        : null;
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
    String[] words = words(file);
    requireSame(directory, "of manager", words[0], config.name());
    requireSame(directory, "of cluster", words[CLUSTER_WORD], "" + config.cluster());
    requireSamePlace(config.name(), words[PEER_WORD], config.addresses().peer().toString());
    requireSamePlace(config.name(), words[CLIENT_WORD], config.addresses().client());
    Peer self = new Peer(config.name(), words[1], words[PEER_WORD], words[CLIENT_WORD]);
    return new GroupDirectory(directory, self, Boolean.parseBoolean(words[FOUNDER_WORD]));
  }

  private static String[] words(Path file) throws IOException {
    String[] words =
        StandardCharsets.UTF_8
            .decode(SealedFile.read(file, IDENTITY_KIND))
            .toString()
            .split(" ", -1);
    if (words.length != WORDS) throw new IOException("'" + file + "' is damaged");
    return words;
  }

  /** The others know it by its addresses; a port of 0 stands for the one that was chosen. */
  private static void requireSamePlace(String name, String known, String given) throws IOException {
    boolean same = known.equals(given);
    if (same || (portOf(given) == 0 && hostOf(known).equals(hostOf(given)))) return;
    throw new IOException(
        "the other managers know manager '%s' at %s, not at %s; give that address, or remove it with 'forebay managers remove %s' and start it with an empty directory"
            .formatted(name, known, given, name));
  }

  private static int portOf(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static String hostOf(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  /** An address with a free port in place of 0. */
  private static String chosen(String address) throws IOException {
    if (portOf(address) != 0) return address;
    String host = hostOf(address).replaceAll("[\\[\\]]", "");
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return hostOf(address) + ":" + free.getLocalPort();
    }
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
            Boolean.toString(founder),
            chosen(config.addresses().peer().toString()),
            chosen(config.addresses().client()));
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
