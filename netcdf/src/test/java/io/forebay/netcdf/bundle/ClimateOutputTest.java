// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.OpenMode;
import io.forebay.netcdf.Selection;
import io.forebay.parallel.Ranks;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in {@code examples/} compiles as it is, and writes what it says. */
class ClimateOutputTest {
  /** The tests of a module run in its folder. */
  private static final Path SOURCE = Path.of("..", "examples", "ClimateOutput.java");

  @TempDir private Path directory;

  @Test
  void theExampleWritesTwoFilesInEachStep() throws IOException, ReflectiveOperationException {
    Path classes = Files.createDirectory(directory.resolve("classes"));
    Path files = Files.createDirectory(directory.resolve("files"));
    List<String> arguments =
        List.of(
            "-Xlint:all",
            "-Werror",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SOURCE.toString());
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(code).isZero();
    URL[] path = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, getClass().getClassLoader())) {
      loader
          .loadClass("ClimateOutput")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {files.toString()});
    }
    try (Stream<Path> written = Files.list(files)) {
      assertThat(written).hasSize(6);
    }
    NetcdfFile moist =
        NetcdfFile.open(
            Ranks.alone(), files.resolve("moist-2.nc").toString(), OpenMode.READ, Hints.none());
    long[] last = {0, 90, 143};
    assertThat(moist.get(moist.variable("q"), Selection.at(last)).toFloats())
        .containsExactly(1 + 90 + 143 + 2);
    moist.close();
  }
}
