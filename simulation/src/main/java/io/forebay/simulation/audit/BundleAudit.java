// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingException;
import io.forebay.backing.StorePath;
import io.forebay.backing.bundle.BundleCache;
import io.forebay.backing.bundle.BundleCatalogue;
import io.forebay.backing.bundle.BundleFolder;
import io.forebay.base.BundlePlace;
import io.forebay.base.FileId;
import io.forebay.namespace.tree.backed.OpenBundle;
import io.forebay.simulation.backing.SimulatedStore;
import io.forebay.wire.message.Names;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** What {@link StoreAudit} knows of bundles, which it reads as anybody would who knows ZIP. */
public final class BundleAudit {
  private static final String BUNDLE_SUFFIX = ".zip";

  private final SimulatedStore store;
  private BundleCache cache = new BundleCache();

  /** The attempts that a bundle's files have, by the bundle's. */
  private final Map<String, List<String>> members = new HashMap<>();

  BundleAudit(SimulatedStore store) {
    this.store = store;
  }

  public static boolean isOwn(StorePath name) {
    return name.text().startsWith(BundleFolder.ROOT_NAME + "/");
  }

  public static boolean isBundle(StorePath name) {
    return isOwn(name) && name.text().endsWith(BUNDLE_SUFFIX);
  }

  /** What contents are known by: a content tag without what changes with a name. */
  static String key(String contentTag) {
    BundlePlace place = BundlePlace.parse(contentTag);
    return place == null ? contentTag : key(place.bundle(), place.entry());
  }

  static String key(String bundle, int entry) {
    return bundle + ":" + entry;
  }

  /** The attempt at a bundle. */
  static String idOf(long cluster, int instance, int tree, OpenBundle bundle) {
    FileId bundles = new FileId(instance, Names.inTree(tree, 0));
    return AttemptId.of(cluster, bundles, bundle.order(), 1).text();
  }

  void begun(String bundle, List<String> attempts) {
    members.putIfAbsent(bundle, attempts);
  }

  /** The attempts of a bundle's files, in their order. */
  List<String> members(AttemptId bundle) {
    return members.getOrDefault(bundle.text(), List.of());
  }

  /** The files of an archive. */
  static List<byte[]> unpack(byte[] archive) {
    List<byte[]> files = new ArrayList<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        files.add(in.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** What the store's bundles come to, or null if there are none. */
  @Nullable BundleCatalogue catalogue() {
    if (store.names().stream().noneMatch(BundleAudit::isOwn)) return null;
    try {
      cache = cache.copy();
      return BundleCatalogue.read(store, cache);
    } catch (BackingException e) {
      throw new IllegalStateException("bundles cannot be read: " + e.failure().sentence(), e);
    }
  }

  /** A bundle of which nothing counts, or null. */
  static @Nullable String dead(BundleCatalogue catalogue) {
    for (BundleCatalogue.Use use : catalogue.uses()) {
      if (use.liveEntries() == 0) return use.bundle();
    }
    return null;
  }
}
