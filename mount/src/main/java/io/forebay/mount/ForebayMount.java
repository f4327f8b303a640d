// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.base.latency.Latencies;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.Nodes;
import io.forebay.client.file.FileStat;
import io.forebay.client.profile.ProfileFolder;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.FuseSettings;
import io.forebay.mount.fuse.MountPoint;
import io.forebay.mount.fuse.RequestKind;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.mount.fuse.operation.FuseOperations;
import io.forebay.mount.profile.MountProfile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance mounted on a directory, until it is closed here or unmounted from outside; in that
 * case {@link #close} is still needed. Any thread.
 */
public final class ForebayMount implements AutoCloseable {
  private static final String KIND = "forebay";

  /** So that the kernel's table tells which of two trees of an instance a mount shows. */
  private static final String KIND_PRIVATE = "forebay-private";

  /** The types in the kernel's table of mounts. */
  public static final String TYPE = "fuse." + KIND;

  public static final String TYPE_PRIVATE = "fuse." + KIND_PRIVATE;
  public static final Set<String> TYPES = Set.of(TYPE, TYPE_PRIVATE);

  /** The maximum number of writes that are answered before they are acknowledged. */
  private static final int KEPT_REQUESTS_MAX = 32;

  /** After silence for this share of a request's time the cluster may be gone. */
  private static final int SILENCE_SHARE = 2;

  private static final Duration PATIENCE_WITH_NOBODY = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(ForebayMount.class);

  private final Forebay client;
  private final InstanceOperations operations;
  private final FuseSession session;
  private final MountSettings settings;
  private final @Nullable MountProfile profile;

  private ForebayMount(
      Forebay client,
      InstanceOperations operations,
      FuseSession session,
      MountSettings settings,
      @Nullable MountProfile profile) {
    this.client = client;
    this.operations = operations;
    this.session = session;
    this.settings = settings;
    this.profile = profile;
  }

  /**
   * Mounts an instance.
   *
   * @throws io.forebay.mount.fuse.library.FuseUnavailable if it cannot be mounted there, with a
   *     sentence
   */
  public static ForebayMount mount(
      String uri, Path directory, MountSettings settings, ForebayOptions options)
      throws IOException {
    Path checked = MountPoint.check(directory, settings.evenIfFull());
    FuseSession.check();
    Forebay client = Forebay.connect(uri, clientOptions(settings, options));
    MountProfile profile = null;
    try {
      Presence presence =
          new Presence(
              client.nodes()::usage,
              client::silence,
              settings.timeout().dividedBy(SILENCE_SHARE),
              "the cluster at " + client.uri());
      InstanceOperations operations =
          new InstanceOperations(
              new KernelRights(client.nodes(), client.options().identity()),
              rootOf(client),
              settings,
              presence,
              settings.sharedLocks() ? client.locks() : null);
      profile = profile(client, checked, settings);
      FuseOperations counted = profile == null ? operations : profile.count(operations);
      FuseSession session = FuseSession.mount(checked, counted, fuseSettings(client, settings));
      operations.invalidateWith(session::invalidateAttributes, session::invalidate);
      return new ForebayMount(client, operations, session, settings, profile);
    } catch (IOException | RuntimeException e) {
      if (profile != null) profile.close();
      client.close();
      throw e;
    }
  }

  private static @Nullable MountProfile profile(
      Forebay client, Path directory, MountSettings settings) throws IOException {
    if (settings.profiles().isEmpty()) return null;
    return new MountProfile(
        new MountProfile.Mounted(
            client.uri().toString(),
            directory,
            client.stripeBytes(),
            settings.cache() != CacheMode.NONE,
            System.currentTimeMillis()),
        new ProfileFolder(settings.profiles().get()));
  }

  private static ForebayOptions clientOptions(MountSettings settings, ForebayOptions options) {
    // The mount counts the calls of its programs, and not its own.
    ForebayOptions timed = options.withTimeout(settings.timeout()).withProfiles(Optional.empty());
    if (!settings.node().isEmpty()) timed = timed.withTreeOf(settings.node());
    if (settings.privateTree()) timed = timed.withPrivateTree(true);
    if (settings.mountUser().isPresent()) timed = timed.withIdentity(settings.mountUser().get());
    // If the kernel caches pages, the kernel reads ahead.
    return settings.cache() == CacheMode.NONE ? timed : timed.withReadAheadBytes(0);
  }

  /** The directory that the address names in the instance. */
  private static long rootOf(Forebay client) throws IOException {
    Nodes nodes = client.nodes();
    long node = nodes.root();
    for (String name : client.uri().path().split("/", -1)) {
      if (name.isEmpty()) continue;
      FileStat found;
      try {
        found = nodes.lookup(node, name);
      } catch (NoSuchFileException e) {
        throw new FuseUnavailable("there is no '" + name + "' in " + client.uri(), e);
      }
      if (!found.isDirectory()) {
        throw new FuseUnavailable("'" + name + "' in " + client.uri() + " is not a directory");
      }
      node = found.number();
    }
    return node;
  }

  private static FuseSettings fuseSettings(Forebay client, MountSettings settings) {
    List<String> options = new ArrayList<>(settings.options());
    if (settings.readOnly()) options.add("ro");
    return new FuseSettings(
        client.uri().toString(),
        settings.privateTree() ? KIND_PRIVATE : KIND,
        settings.allowOther(),
        // The kernel would check the calling user, and not the user that acts.
        settings.user().isEmpty(),
        settings.cache() == CacheMode.WRITEBACK,
        KEPT_REQUESTS_MAX,
        options);
  }

  public Path directory() {
    return session.directory();
  }

  /**
   * What a mount tells monitoring systems.
   *
   * @param times how long its threads were busy with requests
   * @param threads those threads
   * @param gone whether the cluster does not answer, so that requests fail at once
   */
  public record Figures(
      Map<RequestKind, Latencies> times, FuseSession.Threads threads, boolean gone) {}

  /** A copy of its figures. */
  public Figures figures() {
    return new Figures(session.times(), session.threads(), operations.presence().isGone());
  }

  /** Whether it has been unmounted. */
  public boolean isOver() {
    return session.isOver();
  }

  /** Waits until it is unmounted; false if the time has passed first. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    return session.awaitEnd(longest);
  }

  /**
   * Unmounts, publishes the writes of programs, and disconnects from the cluster. Takes a bounded
   * time even if the cluster is gone, or programs have files open.
   *
   * @return false if writes may be lost, or programs had files open
   */
  public boolean end() {
    boolean unused = session.unmount(patience());
    boolean closed = operations.files().closeAll(patience().toNanos());
    if (profile != null) profile.close();
    return closeClient() && unused && closed;
  }

  private Duration patience() {
    return operations.presence().isGone() ? PATIENCE_WITH_NOBODY : settings.timeout();
  }

  /** Bounded like any other step: a cluster that is gone gets no message that the client leaves. */
  private boolean closeClient() {
    boolean[] closed = {false};
    Thread closing =
        Thread.ofPlatform()
            .daemon()
            .name("forebay-mount-end")
            .start(
                () -> {
                  try {
                    client.close();
                    closed[0] = true;
                  } catch (IOException e) {
                    LOG.warn("the end of a mount failed: {}", e.getMessage());
                  }
                });
    try {
      return closing.join(patience()) && closed[0];
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    end();
  }
}
