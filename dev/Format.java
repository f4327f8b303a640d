// SPDX-License-Identifier: Apache-2.0

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * The formatter's check and rewrite over every module: {@code java @dev/format.options
 * dev/Format.java check|write}, from the project's root. The build runs it with the toolchain's
 * JDK, since the Java that Maven runs on may be too old to parse these sources.
 *
 * <p>A file that is older than the stamp of the last clean run is not looked at again.
 */
final class Format {
  private static final Path STAMP = Path.of("target", "format", "stamp");
  private static final Path FORMATTER = Path.of("target", "format", "google-java-format.jar");

  private final Formatter formatter =
      new Formatter(JavaFormatterOptions.builder().reorderModifiers(true).build());
  private final boolean rewrite;

  private Format(boolean rewrite) {
    this.rewrite = rewrite;
  }

  public static void main(String[] arguments) throws IOException {
    boolean rewrite =
        switch (arguments.length == 1 ? arguments[0] : "") {
          case "check" -> false;
          case "write" -> true;
          default -> throw new IllegalArgumentException("say 'check' or 'write'");
        };
    FileTime started = FileTime.fromMillis(System.currentTimeMillis());
    String version = Long.toString(Files.size(FORMATTER));
    List<Path> candidates = sources(lastCleanRun(version));
    List<Path> changed =
        candidates.parallelStream().filter(new Format(rewrite)::differs).sorted().toList();
    if (rewrite) {
      changed.forEach(file -> System.out.println("formatted " + file));
    } else if (!changed.isEmpty()) {
      changed.forEach(file -> System.err.println("[ERROR] not formatted: " + file));
      System.err.println(
          "[ERROR] "
              + (changed.size() == 1 ? "1 file is" : changed.size() + " files are")
              + " not formatted; run './forebay format' and build again.");
      System.exit(1);
    }
    Files.writeString(STAMP, version);
    Files.setLastModifiedTime(STAMP, started);
  }

  /** When all files were last seen formatted by this formatter, or the epoch. */
  private static FileTime lastCleanRun(String version) throws IOException {
    if (!Files.exists(STAMP) || !Files.readString(STAMP).equals(version)) {
      return FileTime.fromMillis(0);
    }
    return Files.getLastModifiedTime(STAMP);
  }

  private static List<Path> sources(FileTime since) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(""))) {
      return Stream.concat(Stream.of(Path.of("dev")), modules.map(module -> module.resolve("src")))
          .filter(Files::isDirectory)
          .flatMap(Format::javaFiles)
          .filter(file -> modified(file).compareTo(since) >= 0)
          .toList();
    }
  }

  private static Stream<Path> javaFiles(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean differs(Path file) {
    try {
      String source = Files.readString(file);
      String ordered =
          RemoveUnusedImports.removeUnusedImports(
              ImportOrderer.reorderImports(source, JavaFormatterOptions.Style.GOOGLE));
      String formatted = formatter.formatSource(ordered);
      boolean differs = !formatted.equals(source);
      if (differs && rewrite) Files.writeString(file, formatted);
      return differs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatterException e) {
      // A file that does not parse is the compiler's to explain.
      System.err.println("[WARNING] not parsed by the formatter: " + file + ": " + e.getMessage());
      return false;
    }
  }
}
