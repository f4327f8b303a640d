// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * This process's class path as the JVM can archive it, in jars, and the archive: with it a workload
 * is ready in a third of the time, and there are hundreds to start.
 */
record WorkloadClasses(String classPath, Path archive) {
  /** Makes jars in a directory that is there. The archive is made by the first process to end. */
  static WorkloadClasses pack(Path directory) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isRegularFile(path)) jars.add(entry);
      if (!Files.isDirectory(path)) continue;
      Path jar = directory.resolve("classes-" + jars.size() + ".jar");
      pack(path, jar);
      jars.add(jar.toString());
    }
    return new WorkloadClasses(
        String.join(File.pathSeparator, jars), directory.resolve("classes.jsa"));
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  /** The option with which a process makes the archive when it ends. */
  String making() {
    return "-XX:ArchiveClassesAtExit=" + archive;
  }

  /** The option with which a process uses the archive; without one it is only slower. */
  String using() {
    return "-XX:SharedArchiveFile=" + archive;
  }
}
