// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The kept inputs of a target: the files of the folder {@code corpus/NAME} beside its test. */
final class Corpus {
  private Corpus() {}

  /** By file name; none if there is no folder. */
  static Map<String, byte[]> of(Class<?> test, String name) {
    URL folder = test.getResource("corpus/" + name);
    Map<String, byte[]> inputs = new TreeMap<>();
    if (folder == null) return inputs;
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      for (Path file : files.toList()) {
        inputs.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return inputs;
  }
}
