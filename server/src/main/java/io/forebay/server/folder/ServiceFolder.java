// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.folder;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the implementation of a service on the class path, or in a folder beside the folder of this
 * program's jars, which gets a class loader of its own. Any thread.
 */
public final class ServiceFolder<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceFolder.class);

  private final Class<T> service;
  private final String name;

  public ServiceFolder(Class<T> service, String name) {
    this.service = service;
    this.name = name;
  }

  /** Null if this installation has none. */
  public @Nullable T find() throws IOException {
    ClassLoader own = service.getClassLoader();
    T found = first(ServiceLoader.load(service, own));
    if (found != null) return found;
    Path folder = besideJars();
    if (folder == null || !Files.isDirectory(folder)) return null;
    // It stays open for as long as the process uses the service.
    URLClassLoader loader = new URLClassLoader(name, jars(folder), own);
    return first(ServiceLoader.load(service, loader));
  }

  /** The folder, for a message that says that it is missing. */
  public String described() {
    Path folder = besideJars();
    return folder == null ? "the folder '" + name + "'" : "'" + folder + "'";
  }

  private @Nullable T first(ServiceLoader<T> loader) {
    try {
      Iterator<T> each = loader.iterator();
      return each.hasNext() ? each.next() : null;
    } catch (ServiceConfigurationError | LinkageError e) {
      // Its library is not on this class path; the folder may have it.
      LOG.debug("a {} cannot be loaded", service, e);
      return null;
    }
  }

  private static URL[] jars(Path folder) throws IOException {
    List<URL> urls = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path file : files) urls.add(file.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private @Nullable Path besideJars() {
    CodeSource source = ServiceFolder.class.getProtectionDomain().getCodeSource();
    if (source == null) return null;
    try {
      Path jar = Path.of(source.getLocation().toURI());
      Path jars = jar.getParent();
      if (!Files.isRegularFile(jar) || jars == null || jars.getParent() == null) return null;
      return jars.resolveSibling(name);
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
