// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.simulation.planted.body.SeedPlayer;
import io.forebay.simulation.planted.border.Player;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Defines the cores and the simulation once more, with some of their methods rewritten. Modules
 * that no fault is in ({@code base}, {@code wire}, {@code ring}, {@code backing}, {@code drain})
 * are taken from the program itself: they use none of the others, and the JIT has compiled them
 * already. Results consist of types that both sides share.
 */
final class RewritingLoader extends ClassLoader {
  /** Modules whose classes are defined here. */
  static final List<String> MODULES = List.of("client", "namespace", "seat", "simulation", "store");

  private static final String ROOT = "io.forebay.";
  private static final String SHARED = RewritingLoader.class.getPackageName() + ".";
  private static final String BODIES = SeedPlayer.class.getPackageName() + ".";

  private final ClassSource source;
  private final Map<String, byte[]> rewritten = new HashMap<>();

  /** Rewrites eagerly, so that an edit that does not fit is refused here. */
  RewritingLoader(ClassSource source, List<MethodEdit> edits) {
    super(source.loader());
    this.source = source;
    Map<String, List<MethodEdit>> byType = new HashMap<>();
    for (MethodEdit edit : edits) {
      if (!isDefinedHere(edit.type())) {
        throw new Rewriting.Mismatch(edit, "it is in none of the modules " + MODULES);
      }
      byType.computeIfAbsent(edit.type(), key -> new ArrayList<>()).add(edit);
    }
    Rewriting rewriting = new Rewriting(source);
    byType.forEach((type, own) -> rewritten.put(type, rewriting.rewrite(type, own)));
  }

  /** What plays seeds with the rewritten classes. */
  Player player() {
    try {
      Class<?> type = loadClass(SeedPlayer.class.getName());
      return (Player) type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the player of seeds cannot be made", e);
    }
  }

  private static boolean isDefinedHere(String type) {
    if (!type.startsWith(ROOT)) return false;
    if (type.startsWith(SHARED)) return type.startsWith(BODIES);
    int dot = type.indexOf('.', ROOT.length());
    return dot > 0 && MODULES.contains(type.substring(ROOT.length(), dot));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isDefinedHere(name)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = rewritten.get(name);
    if (bytes == null) bytes = source.bytes(name);
    if (bytes == null) throw new ClassNotFoundException(name);
    return defineClass(name, bytes, 0, bytes.length);
  }
}
