// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import io.forebay.backing.location.BackingAccess;
import io.forebay.backing.location.BackingLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
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
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens stores by address. Providers on the class path come first. Others have a folder of jars of
 * their own, named by their scheme, which gets a class loader when the first such address is
 * opened: a program that never uses {@code hdfs:} never loads Hadoop. Any thread.
 */
public final class BackingStores {
  private static final Logger LOG = LoggerFactory.getLogger(BackingStores.class);
  private static final String FOLDER = "backing";

  /** More than there will ever be. */
  private static final int PROVIDERS_MAX = 100;

  private static final Set<String> IN_FOLDERS = Set.of("s3", "hdfs");

  private final @Nullable Path folder;
  private final Map<String, BackingProvider> providers;

  /** The rights with which stores are opened; null for those of this process. */
  private final @Nullable BackingAccess access;

  /**
   * Finds the providers on the class path.
   *
   * @param folder where those are that have folders of their own, or null for nowhere
   */
  public BackingStores(@Nullable Path folder) {
    this(folder, new TreeMap<>(), null);
    add(ServiceLoader.load(BackingProvider.class, BackingStores.class.getClassLoader()));
  }

  private BackingStores(
      @Nullable Path folder,
      Map<String, BackingProvider> providers,
      @Nullable BackingAccess access) {
    this.folder = folder;
    this.providers = providers;
    this.access = access;
  }

  /** The same providers, which open only what an access allows. */
  public BackingStores within(BackingAccess limits) {
    return new BackingStores(folder, providers, limits);
  }

  /** The limits of stores that touch files, or null for those of this process. */
  public @Nullable BackingAccess access() {
    return access;
  }

  /** With the folder beside the folder of this program's jars, if there is one. */
  public static BackingStores ofThisProgram() {
    return new BackingStores(folderBesideJars());
  }

  /**
   * Opens the store at an address, touching nothing of it.
   *
   * @throws IllegalArgumentException with a sentence for users if the address is invalid
   */
  public BackingStore open(String address) {
    BackingLocation location = BackingLocation.parse(address);
    if (access != null) access.require(location);
    // All that share the providers.
    synchronized (providers) {
      BackingProvider provider = providers.get(location.scheme());
      if (provider == null) {
        loadFolder(location.scheme());
        provider = providers.get(location.scheme());
      }
      if (provider == null) throw new IllegalArgumentException(unknown(location.scheme()));
      return bound(provider, location);
    }
  }

  private BackingStore bound(BackingProvider provider, BackingLocation location) {
    ClassLoader own = provider.getClass().getClassLoader();
    BackingStore store = provider.open(location, this);
    // Such a library looks for its own parts where the thread says.
    return own instanceof URLClassLoader ? new LoaderBoundStore(store, own) : store;
  }

  private void loadFolder(String scheme) {
    if (folder == null || !IN_FOLDERS.contains(scheme)) return;
    Path jars = folder.resolve(scheme);
    if (!Files.isDirectory(jars)) return;
    URLClassLoader loader =
        new URLClassLoader("backing-" + scheme, urls(jars), BackingStores.class.getClassLoader());
    add(ServiceLoader.load(BackingProvider.class, loader));
  }

  private void add(ServiceLoader<BackingProvider> found) {
    Iterator<BackingProvider> each = found.iterator();
    for (int i = 0; i < PROVIDERS_MAX; i++) {
      try {
        if (!each.hasNext()) return;
        BackingProvider provider = each.next();
        for (String scheme : provider.schemes()) providers.putIfAbsent(scheme, provider);
      } catch (ServiceConfigurationError | LinkageError e) {
        // Its libraries are not on this class path: it is as good as not there, unless a folder
        // has them.
        LOG.debug("a provider of backing stores cannot be loaded", e);
      }
    }
  }

  private String unknown(String scheme) {
    if (IN_FOLDERS.contains(scheme)) {
      return "'%s:' backing stores are not part of this installation: %s is missing; build or install it"
          .formatted(scheme, folder == null ? "their folder" : folder.resolve(scheme));
    }
    Set<String> known = new TreeSet<>(IN_FOLDERS);
    known.addAll(providers.keySet());
    return "there is no kind of backing store '%s:'; there are %s".formatted(scheme, known);
  }

  private static URL[] urls(Path jars) {
    List<URL> urls = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(jars, "*.jar")) {
      for (Path file : files) urls.add(file.toUri().toURL());
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return urls.toArray(URL[]::new);
  }

  private static @Nullable Path folderBesideJars() {
    CodeSource source = BackingStores.class.getProtectionDomain().getCodeSource();
    if (source == null) return null;
    try {
      Path jar = Path.of(source.getLocation().toURI());
      Path jars = jar.getParent();
      if (!Files.isRegularFile(jar) || jars == null || jars.getParent() == null) return null;
      return jars.resolveSibling(FOLDER);
    } catch (URISyntaxException notAFile) {
      return null;
    }
  }
}
