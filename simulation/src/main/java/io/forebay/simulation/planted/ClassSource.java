// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The class files of this program as they were compiled, each read once. For all threads. */
final class ClassSource {
  private final ClassLoader loader = ClassSource.class.getClassLoader();
  private final Map<String, byte[]> read = new ConcurrentHashMap<>();

  /** The bytes of a class, or null if there is none of that name. */
  byte @Nullable [] bytes(String type) {
    byte[] known = read.get(type);
    if (known != null) return known;
    try (InputStream in = loader.getResourceAsStream(type.replace('.', '/') + ".class")) {
      if (in == null) return null;
      byte[] bytes = in.readAllBytes();
      read.put(type, bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read class " + type, e);
    }
  }

  /** The class, or null if there is none of that name. */
  @Nullable ClassModel model(String type) {
    byte[] bytes = bytes(type);
    return bytes == null ? null : ClassFile.of().parse(bytes);
  }

  ClassLoader loader() {
    return loader;
  }
}
