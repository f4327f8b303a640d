// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of a process, read again when its files change. New connections use the newest one;
 * existing connections stay as they are. Any thread; {@link #refresh} reads files, so loops call it
 * on another thread.
 */
public final class TlsFiles {
  /** How often the files are looked at. */
  public static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

  /** Which version of the files was read. */
  private record Stamp(List<String> versions) {
    Stamp {
      versions = List.copyOf(versions);
    }

    static Stamp of(TlsSettings settings) {
      List<String> versions = new ArrayList<>(List.of(version(settings.ca())));
      TlsSettings.Own own = settings.own();
      if (own != null) {
        versions.add(version(own.certificate()));
        versions.add(version(own.key()));
      }
      return new Stamp(versions);
    }

    private static String version(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
      } catch (IOException e) {
        return "unreadable";
      }
    }
  }

  private final @Nullable TlsSettings settings;
  private final MonotonicClock clock;
  private final RevokedSerials revoked;
  private volatile TlsIdentity identity;
  private volatile long lookedNanos;
  private Stamp read;
  private Stamp complained;

  private TlsFiles(
      @Nullable TlsSettings settings,
      MonotonicClock clock,
      Stamp read,
      TlsIdentity identity,
      RevokedSerials revoked) {
    this.settings = settings;
    this.clock = clock;
    this.revoked = revoked;
    this.read = read;
    this.complained = read;
    this.identity = identity;
    this.lookedNanos = clock.nanos();
  }

  /** Reads the files. */
  public static TlsFiles open(TlsSettings settings, MonotonicClock clock) throws BadTlsFile {
    // Before they are read: files that change meanwhile are read again.
    Stamp stamp = Stamp.of(settings);
    RevokedSerials revoked = new RevokedSerials();
    return new TlsFiles(settings, clock, stamp, TlsIdentity.read(settings, revoked), revoked);
  }

  /** An identity without files. */
  public static TlsFiles of(TlsIdentity identity, MonotonicClock clock) {
    return new TlsFiles(null, clock, new Stamp(List.of()), identity, new RevokedSerials());
  }

  /** The certificates that are not accepted any more. */
  public RevokedSerials revoked() {
    return revoked;
  }

  /** The newest identity whose files could be used. */
  public TlsIdentity identity() {
    return identity;
  }

  /** Whether it is time for {@link #refresh}. */
  public boolean isDue() {
    return settings != null && clock.nanos() - lookedNanos >= LOOK_NANOS;
  }

  /** Reads the files if they changed. Files that cannot be used are reported, and tried again. */
  public synchronized void refresh() {
    if (isDue()) reload();
  }

  /** The same before it is time. */
  public synchronized void reload() {
    if (settings == null) return;
    lookedNanos = clock.nanos();
    Stamp stamp = Stamp.of(settings);
    if (stamp.equals(read)) return;
    try {
      identity = TlsIdentity.read(settings, revoked);
      read = stamp;
      TlsSettings.Own own = settings.own();
      LOG.info(
          "{} has changed: new connections use it",
          own == null ? settings.ca() : own.certificate());
    } catch (BadTlsFile e) {
      if (!stamp.equals(complained)) {
        LOG.warn("new connections use the earlier certificates: {}", e.getMessage());
      }
      complained = stamp;
    }
  }
}
