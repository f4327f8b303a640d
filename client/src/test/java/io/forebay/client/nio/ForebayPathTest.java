// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;

/** Paths behave as those of the default file system do, where that is a Unix one. */
class ForebayPathTest {
  private static final List<String> TEXTS =
      List.of(
          "",
          "/",
          "a",
          "/a",
          "a/b",
          "/a/b",
          "/a/b/c",
          "a/",
          "//a//b",
          ".",
          "..",
          "a/..",
          "/a/../b",
          "../a",
          "a/./b",
          "/..",
          "/a/b/../../c",
          "b/c",
          "c",
          "a/../..");

  private static final ForebayFileSystem ANY = new ForebayFileSystem(null, null, null);

  private static Path ours(String text) {
    return ForebayPath.parse(ANY, text);
  }

  private static Path reference(String text) {
    return FileSystems.getDefault().getPath(text);
  }

  private static String text(Object path) {
    return String.valueOf(path);
  }

  @Test
  void onePath() {
    for (String text : TEXTS) {
      Path ours = ours(text);
      Path reference = reference(text);
      assertThat(text(ours)).as(text).isEqualTo(text(reference));
      assertThat(text(ours.getRoot())).as(text).isEqualTo(text(reference.getRoot()));
      assertThat(text(ours.getFileName())).as(text).isEqualTo(text(reference.getFileName()));
      assertThat(text(ours.getParent())).as(text).isEqualTo(text(reference.getParent()));
      assertThat(ours.getNameCount()).as(text).isEqualTo(reference.getNameCount());
      assertThat(ours.isAbsolute()).as(text).isEqualTo(reference.isAbsolute());
      assertThat(text(ours.normalize())).as(text).isEqualTo(text(reference.normalize()));
      assertThat(ours.iterator())
          .toIterable()
          .extracting(ForebayPathTest::text)
          .isEqualTo(names(reference));
    }
  }

  private static List<String> names(Path path) {
    return java.util.stream.StreamSupport.stream(path.spliterator(), false)
        .map(Path::toString)
        .toList();
  }

  @Test
  void twoPaths() {
    for (String one : TEXTS) {
      for (String two : TEXTS) {
        String both = "'" + one + "' and '" + two + "'";
        Path ourOne = ours(one);
        Path ourTwo = ours(two);
        Path one0 = reference(one);
        Path two0 = reference(two);
        assertThat(text(ourOne.resolve(ourTwo))).as(both).isEqualTo(text(one0.resolve(two0)));
        assertThat(ourOne.startsWith(ourTwo)).as(both).isEqualTo(one0.startsWith(two0));
        assertThat(ourOne.endsWith(ourTwo)).as(both).isEqualTo(one0.endsWith(two0));
        assertThat(ourOne.equals(ourTwo)).as(both).isEqualTo(one0.equals(two0));
        assertThat(Integer.signum(ourOne.compareTo(ourTwo)))
            .as(both)
            .isEqualTo(Integer.signum(one0.compareTo(two0)));
        boolean dotted = one.contains(".") || two.contains(".");
        if (ourOne.isAbsolute() == ourTwo.isAbsolute() && !dotted) {
          assertThat(text(ourOne.relativize(ourTwo)))
              .as(both)
              .isEqualTo(text(one0.relativize(two0)));
        }
      }
    }
  }

  @Test
  void brokenPaths() {
    assertThatThrownBy(() -> ours("a\0b")).isInstanceOf(InvalidPathException.class);
    assertThatThrownBy(() -> ours("a").subpath(0, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void globs() {
    List<String> globs =
        List.of(
            "*.java",
            "*.*",
            "*.{java,class}",
            "foo.?",
            "/data/*/*",
            "/data/**",
            "[abc]*",
            "[!abc]x",
            "[a-f]?",
            "\\*",
            "a{,b}c",
            "{a*,b?}/x",
            "a.b",
            "[-a]",
            "[*]",
            "+(a)");
    List<String> paths =
        List.of(
            "a.java",
            "a.class",
            "foo.x",
            "foo.xy",
            "/data/me/x",
            "/data/me/x/y",
            "abc",
            "xx",
            "ax",
            "*",
            "ac",
            "abc",
            "a1/x",
            "b1/x",
            "a.b",
            "aXb",
            "-",
            "a",
            "+(a)",
            "/data/x");
    for (String glob : globs) {
      for (String path : paths) {
        boolean expected =
            FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(reference(path));
        assertThat(GlobPattern.compile(glob).matcher(path).matches())
            .as("'%s' on '%s'", glob, path)
            .isEqualTo(expected);
      }
    }
    assertThatThrownBy(() -> GlobPattern.compile("[a")).isInstanceOf(PatternSyntaxException.class);
    assertThatThrownBy(() -> GlobPattern.compile("{a")).isInstanceOf(PatternSyntaxException.class);
  }
}
