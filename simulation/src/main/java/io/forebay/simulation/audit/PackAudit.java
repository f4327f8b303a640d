// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.audit;

import io.forebay.backing.AttemptId;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackFolder;
import io.forebay.base.FileId;
import io.forebay.base.PackPlace;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.simulation.backing.SimulatedBackingStore;
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

/** The packs that {@link BackingAudit} knows, read like plain ZIP files. */
public final class PackAudit {
  private static final String PACK_SUFFIX = ".zip";

  private final SimulatedBackingStore store;
  private PackCache cache = new PackCache();

  /** The attempts of a pack's files, by the attempt at the pack. */
  private final Map<String, List<String>> members = new HashMap<>();

  PackAudit(SimulatedBackingStore store) {
    this.store = store;
  }

  public static boolean isOwn(BackingPath name) {
    return name.text().startsWith(PackFolder.ROOT_NAME + "/");
  }

  public static boolean isPack(BackingPath name) {
    return isOwn(name) && name.text().endsWith(PACK_SUFFIX);
  }

  /** The key of a content: its tag without the parts that depend on its name. */
  static String key(String contentTag) {
    PackPlace place = PackPlace.parse(contentTag);
    return place == null ? contentTag : key(place.pack(), place.entry());
  }

  static String key(String pack, int entry) {
    return pack + ":" + entry;
  }

  /** The attempt at a pack. */
  static String idOf(long cluster, int instance, int tree, OpenPack pack) {
    FileId packs = new FileId(instance, Names.inTree(tree, 0));
    return AttemptId.of(cluster, packs, pack.order(), 1).text();
  }

  void begun(String pack, List<String> attempts) {
    members.putIfAbsent(pack, attempts);
  }

  /** The attempts of a pack's files, in their order. */
  List<String> members(AttemptId pack) {
    return members.getOrDefault(pack.text(), List.of());
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

  /** A summary of the store's packs, or null if there are none. */
  @Nullable PackCatalogue catalogue() {
    if (store.names().stream().noneMatch(PackAudit::isOwn)) return null;
    try {
      cache = cache.copy();
      return PackCatalogue.read(store, cache);
    } catch (BackingException e) {
      throw new IllegalStateException("packs cannot be read: " + e.failure().sentence(), e);
    }
  }

  /** A pack without a live file, or null. */
  static @Nullable String dead(PackCatalogue catalogue) {
    for (PackCatalogue.Use use : catalogue.uses()) {
      if (use.liveEntries() == 0) return use.pack();
    }
    return null;
  }
}
