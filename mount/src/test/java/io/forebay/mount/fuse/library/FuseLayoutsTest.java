// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.mount.fuse.operation.Errno;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our structures and constants against what a C compiler makes of the installed headers. */
@Timeout(120)
class FuseLayoutsTest {
  private static final Path HEADER = Path.of("/usr/include/fuse3/fuse_lowlevel.h");
  private static final Path COMPILER = Path.of("/usr/bin/gcc");

  private static final Map<String, Integer> CONSTANTS =
      Map.ofEntries(
          Map.entry("FUSE_CAP_ASYNC_READ", FuseLayouts.CAP_ASYNC_READ),
          Map.entry("FUSE_CAP_ATOMIC_O_TRUNC", FuseLayouts.CAP_ATOMIC_O_TRUNC),
          Map.entry("FUSE_CAP_AUTO_INVAL_DATA", FuseLayouts.CAP_AUTO_INVAL_DATA),
          Map.entry("FUSE_CAP_READDIRPLUS", FuseLayouts.CAP_READDIRPLUS),
          Map.entry("FUSE_CAP_READDIRPLUS_AUTO", FuseLayouts.CAP_READDIRPLUS_AUTO),
          Map.entry("FUSE_CAP_ASYNC_DIO", FuseLayouts.CAP_ASYNC_DIO),
          Map.entry("FUSE_CAP_WRITEBACK_CACHE", FuseLayouts.CAP_WRITEBACK_CACHE),
          Map.entry("FUSE_CAP_PARALLEL_DIROPS", FuseLayouts.CAP_PARALLEL_DIROPS),
          Map.entry("FUSE_SET_ATTR_MODE", FuseLayouts.SET_MODE),
          Map.entry("FUSE_SET_ATTR_UID", FuseLayouts.SET_UID),
          Map.entry("FUSE_SET_ATTR_GID", FuseLayouts.SET_GID),
          Map.entry("FUSE_SET_ATTR_SIZE", FuseLayouts.SET_SIZE),
          Map.entry("FUSE_SET_ATTR_ATIME", FuseLayouts.SET_ATIME),
          Map.entry("FUSE_SET_ATTR_MTIME", FuseLayouts.SET_MTIME),
          Map.entry("FUSE_SET_ATTR_ATIME_NOW", FuseLayouts.SET_ATIME_NOW),
          Map.entry("FUSE_SET_ATTR_MTIME_NOW", FuseLayouts.SET_MTIME_NOW),
          Map.entry("EPERM", Errno.EPERM),
          Map.entry("ENOENT", Errno.ENOENT),
          Map.entry("EINTR", Errno.EINTR),
          Map.entry("EIO", Errno.EIO),
          Map.entry("ENXIO", Errno.ENXIO),
          Map.entry("EBADF", Errno.EBADF),
          Map.entry("ENOMEM", Errno.ENOMEM),
          Map.entry("EACCES", Errno.EACCES),
          Map.entry("EBUSY", Errno.EBUSY),
          Map.entry("EEXIST", Errno.EEXIST),
          Map.entry("ENOTDIR", Errno.ENOTDIR),
          Map.entry("EISDIR", Errno.EISDIR),
          Map.entry("EINVAL", Errno.EINVAL),
          Map.entry("ENOTTY", Errno.ENOTTY),
          Map.entry("EFBIG", Errno.EFBIG),
          Map.entry("ENOSPC", Errno.ENOSPC),
          Map.entry("EMLINK", Errno.EMLINK),
          Map.entry("ERANGE", Errno.ERANGE),
          Map.entry("ENAMETOOLONG", Errno.ENAMETOOLONG),
          Map.entry("ENOSYS", Errno.ENOSYS),
          Map.entry("ENOTEMPTY", Errno.ENOTEMPTY),
          Map.entry("ELOOP", Errno.ELOOP),
          Map.entry("ENODATA", Errno.ENODATA),
          Map.entry("EILSEQ", Errno.EILSEQ),
          Map.entry("EOPNOTSUPP", Errno.EOPNOTSUPP),
          Map.entry("ETIMEDOUT", Errno.ETIMEDOUT),
          Map.entry("ESTALE", Errno.ESTALE));

  @TempDir private Path directory;

  @Test
  void structuresAndConstantsAreThoseOfTheHeaders() throws IOException, InterruptedException {
    assumeTrue(Files.exists(HEADER), "libfuse3-dev is not installed (dev/optional-packages)");
    assumeTrue(Files.isExecutable(COMPILER), "gcc is not installed");
    StringBuilder program =
        new StringBuilder(
            """
            #define FUSE_USE_VERSION 31
            #define _FILE_OFFSET_BITS 64
            #include <fuse_lowlevel.h>
            #include <errno.h>
            #include <stddef.h>
            #include <stdio.h>
            #include <string.h>
            int main(void) {
            """);
    Map<String, Long> expected = new LinkedHashMap<>();
    for (StructLayout layout : FuseLayouts.ALL) describe(layout, program, expected);
    CONSTANTS.forEach(
        (name, value) -> {
          program.append("printf(\"%s %%ld\\n\", (long) %s);\n".formatted(name, name));
          expected.put(name, (long) value);
        });
    bit("direct_io", FuseLayouts.DIRECT_IO, program, expected);
    bit("keep_cache", FuseLayouts.KEEP_CACHE, program, expected);
    program.append("return 0; }\n");
    assertThat(run(program.toString())).isEqualTo(expected);
  }

  private static void describe(
      StructLayout layout, StringBuilder program, Map<String, Long> expected) {
    String name = layout.name().orElseThrow();
    program.append("printf(\"%s %%ld\\n\", (long) sizeof(struct %s));\n".formatted(name, name));
    expected.put(name, layout.byteSize());
    for (MemoryLayout member : layout.memberLayouts()) {
      if (member instanceof PaddingLayout) continue;
      String field = member.name().orElseThrow();
      String key = name + "." + field;
      program.append(
          "printf(\"%s %%ld\\n\", (long) offsetof(struct %s, %s));\n".formatted(key, name, field));
      program.append(
          "printf(\"%s# %%ld\\n\", (long) sizeof(((struct %s *) 0)->%s));\n"
              .formatted(key, name, field));
      expected.put(key, FuseLayouts.at(layout, field));
      expected.put(key + "#", member.byteSize());
    }
  }

  /** Sets one bit field and looks at the word where we expect it. */
  private static void bit(
      String field, int mask, StringBuilder program, Map<String, Long> expected) {
    program.append(
        """
        { struct fuse_file_info info; unsigned word;
          memset(&info, 0, sizeof info);
          info.%s = 1;
          memcpy(&word, (char *) &info + %d, sizeof word);
          printf("%s %%ld\\n", (long) word); }
        """
            .formatted(field, FuseLayouts.FILE_INFO_BITS, field));
    expected.put(field, (long) mask);
  }

  private Map<String, Long> run(String program) throws IOException, InterruptedException {
    Path source = Files.writeString(directory.resolve("layouts.c"), program);
    Path binary = directory.resolve("layouts");
    output(COMPILER.toString(), "-I/usr/include/fuse3", source.toString(), "-o", binary.toString());
    Map<String, Long> found = new LinkedHashMap<>();
    for (String line : output(binary.toString()).lines().toList()) {
      String[] words = line.split(" ", -1);
      found.put(words[0], Long.parseLong(words[1]));
    }
    return found;
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
