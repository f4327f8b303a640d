package io.forebay.mount;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.FuseSettings;
import io.forebay.mount.fuse.MountPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An instance mounted on a directory, until it is closed here or unmounted by whomever; then {@link
 * #close} is still needed. Any thread.
 */
public final class ForebayMount implements AutoCloseable {
  private static final String KIND = "forebay";

  /** Of writes that are answered before they are acknowledged. */
  private static final int KEPT_REQUESTS_MAX = 32;

  private final Forebay client;
  private final InstanceOperations operations;
  private final FuseSession session;
  private final MountSettings settings;

  private ForebayMount(
      Forebay client, InstanceOperations operations, FuseSession session, MountSettings settings) {
    this.client = client;
    this.operations = operations;
    this.session = session;
    this.settings = settings;
  }

  /**
   * Mounts an instance.
   *
   * @throws io.forebay.mount.fuse.FuseUnavailable if it cannot be mounted there, with a sentence
   */
  public static ForebayMount mount(
      String uri, Path directory, MountSettings settings, ForebayOptions options)
      throws IOException {
    Path checked = MountPoint.check(directory, settings.evenIfFull());
    FuseSession.check();
    Forebay client = Forebay.connect(uri, options.withTimeout(settings.timeout()));
    try {
      InstanceOperations operations = new InstanceOperations(client.nodes(), settings);
      FuseSession session =
          FuseSession.mount(checked, operations, fuseSettings(client, settings));
      operations.invalidateWith(session::invalidateAttributes);
      return new ForebayMount(client, operations, session, settings);
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private static FuseSettings fuseSettings(Forebay client, MountSettings settings) {
    List<String> options = new ArrayList<>(settings.options());
    if (settings.readOnly()) options.add("ro");
    return new FuseSettings(
        client.uri().toString(),
        KIND,
        settings.allowOther(),
        true,
        settings.cache() == CacheMode.WRITEBACK,
        KEPT_REQUESTS_MAX,
        options);
  }

  public Path directory() {
    return session.directory();
  }

  /** Whether somebody has unmounted it. */
  public boolean isOver() {
    return session.isOver();
  }

  /** Waits until somebody unmounts it; false if nobody has in time. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    return session.awaitEnd(longest);
  }

  /**
   * Unmounts, publishes what programs have written, and lets go of the cluster. Takes a bounded time
   * also if the cluster is gone, or programs have files open.
   *
   * @return false if something may not have been kept, or programs had files open
   */
  public boolean end() throws IOException {
    boolean unused = session.unmount(settings.timeout());
    boolean closed = operations.files().closeAll(settings.timeout().toNanos());
    client.close();
    return unused && closed;
  }

  @Override
  public void close() throws IOException {
    end();
  }
}
