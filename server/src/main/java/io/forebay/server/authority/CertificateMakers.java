// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.authority;

import io.forebay.wire.authority.CertificateMaker;
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
 * Finds the library that signs: on the class path, or in the folder {@code authority} beside the
 * folder of this program's jars, which gets a class loader of its own. Any thread.
 */
public final class CertificateMakers {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateMakers.class);
  private static final String FOLDER = "authority";

  private CertificateMakers() {}

  /** The one of this program; an exception says what is missing. */
  public static CertificateMaker find() throws IOException {
    ClassLoader own = CertificateMakers.class.getClassLoader();
    CertificateMaker found = first(ServiceLoader.load(CertificateMaker.class, own));
    if (found != null) return found;
    Path folder = folderBesideJars();
    if (folder != null && Files.isDirectory(folder)) {
      // It stays open for as long as the process signs.
      URLClassLoader loader = new URLClassLoader(FOLDER, jars(folder), own);
      found = first(ServiceLoader.load(CertificateMaker.class, loader));
      if (found != null) return found;
    }
    throw new IOException(
        "this installation cannot sign certificates: %s is missing; build or install it, or set tls-certificate, tls-key and tls-ca"
            .formatted(folder == null ? "the folder '" + FOLDER + "'" : "'" + folder + "'"));
  }

  private static @Nullable CertificateMaker first(ServiceLoader<CertificateMaker> loader) {
    try {
      Iterator<CertificateMaker> each = loader.iterator();
      return each.hasNext() ? each.next() : null;
    } catch (ServiceConfigurationError | LinkageError e) {
      // Its library is not on this class path; the folder may have it.
      LOG.debug("a maker of certificates cannot be loaded", e);
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

  private static @Nullable Path folderBesideJars() {
    CodeSource source = CertificateMakers.class.getProtectionDomain().getCodeSource();
    if (source == null) return null;
    try {
      Path jar = Path.of(source.getLocation().toURI());
      Path jars = jar.getParent();
      if (!Files.isRegularFile(jar) || jars == null || jars.getParent() == null) return null;
      return jars.resolveSibling(FOLDER);
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
