// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The programs of pages, compiled as they stand. */
public final class Snippets {
  /** What these pages show uses the client alone, which runs on Java 17. */
  private static final Set<String> ON_JAVA_17 =
      Set.of("README.md", "docs/client.md", "docs/staging.md");

  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");
  private static final String MAIN = "static void main(";

  /**
   * A program.
   *
   * @param name of its class
   * @param hasMain whether it can be run
   */
  public record Snippet(Page page, Page.Block block, String name, boolean hasMain) {
    public String place() {
      return page.name() + ":" + block.line();
    }
  }

  private final Path sources;
  private final Path classes;
  private final Shown shown;

  /** What is put in the place of addresses and directories that a page names. */
  public interface Shown {
    String here(String text);
  }

  public Snippets(Path directory, Shown shown) throws IOException {
    this.sources = Files.createDirectories(directory.resolve("sources"));
    this.classes = Files.createDirectories(directory.resolve("classes"));
    this.shown = shown;
  }

  /** Where the classes are. */
  public Path classes() {
    return classes;
  }

  /** All programs of some pages; throws what the compiler says if one does not compile. */
  public List<Snippet> compile(List<Page> pages) throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    List<Path> old = new ArrayList<>();
    List<Path> current = new ArrayList<>();
    for (Page page : pages) {
      for (Page.Block block : page.blocks()) {
        if (!block.isJava()) continue;
        String text = String.join("\n", block.lines());
        Matcher matcher = CLASS.matcher(text);
        String place = page.name() + ":" + block.line();
        if (!matcher.find()) throw new IOException(place + ": a program needs a class around it");
        String name = matcher.group(1);
        Path source = sources.resolve(name + ".java");
        if (Files.exists(source)) throw new IOException(place + ": a second class " + name);
        Files.writeString(source, shown.here(text));
        (ON_JAVA_17.contains(page.name()) ? old : current).add(source);
        snippets.add(new Snippet(page, block, name, text.contains(MAIN)));
      }
    }
    compile(old, "17");
    compile(current, "25");
    return snippets;
  }

  private void compile(List<Path> files, String release) throws IOException {
    if (files.isEmpty()) return;
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of(
            "-d",
            classes.toString(),
            "--release",
            release,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"));
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> units = manager.getJavaFileObjectsFromPaths(files);
      boolean compiles = compiler.getTask(said, manager, null, options, null, units).call();
      if (!compiles) throw new IOException("a program of a page does not compile:\n" + said);
    }
  }
}
