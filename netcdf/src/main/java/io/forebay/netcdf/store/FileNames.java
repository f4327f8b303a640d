// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.nio.ForebayFileSystemProvider;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Converts names into paths: those of the operating system, and {@code
 * forebay://host:port/instance/path}. Any thread.
 */
public final class FileNames {
  /**
   * How long a program that does not respond counts as running. Everything is published when a call
   * returns, so a program that pauses for longer loses nothing.
   */
  static final Duration SESSION_EXPIRY = Duration.ofSeconds(20);

  private static final String SCHEME_PREFIX = ForebayUri.SCHEME + ":";

  private FileNames() {}

  /** The path of that name; connects to its instance if that has not been done. */
  public static Path parse(String name) throws NetcdfException {
    try {
      return name.startsWith(SCHEME_PREFIX) ? ofInstance(name) : Path.of(name);
    } catch (InvalidPathException e) {
      throw new NetcdfException(NetcdfError.BAD_NAME, "'" + name + "' is no path", e);
    }
  }

  private static Path ofInstance(String name) throws NetcdfException {
    try {
      URI uri = URI.create(name);
      ForebayOptions options = ForebayOptions.defaults().withSessionExpiry(SESSION_EXPIRY);
      // Closed when the process ends; other files may be on it.
      return FileSystems.newFileSystem(uri, Map.of(ForebayFileSystemProvider.OPTIONS_KEY, options))
          .provider()
          .getPath(uri);
    } catch (FileSystemAlreadyExistsException e) {
      // The program has connected already, perhaps with options of its own.
      return Path.of(URI.create(name));
    } catch (IllegalArgumentException e) {
      throw new NetcdfException(
          NetcdfError.BAD_NAME, "'" + name + "' is no address of a file: " + e.getMessage(), e);
    } catch (UncheckedIOException | IOException e) {
      throw new NetcdfException(NetcdfError.STORAGE, name + ": " + e.getMessage(), e);
    }
  }

  /** A path as a name that {@link #parse} understands, from the root. */
  public static String absolute(Path path) {
    Path normal = path.toAbsolutePath().normalize();
    return isOfInstance(path) ? normal.toUri().toString() : normal.toString();
  }

  static boolean isOfInstance(Path path) {
    return path.getFileSystem().provider() instanceof ForebayFileSystemProvider;
  }
}
