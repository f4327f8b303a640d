// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are in folders of their own, with a store that is compiled here and nowhere else. */
class FolderLoadingTest {
  private static final String PROVIDER =
      """
      package elsewhere;
      import io.forebay.backing.*;
      import io.forebay.backing.location.BackingLocation;
      import java.util.Set;
      public class Provider implements BackingProvider {
        public Set<String> schemes() { return Set.of("s3"); }
        public BackingStore open(BackingLocation location, BackingStores stores) {
          return new WrappedStore(stores.open("null:")) {
            public String description() { return "elsewhere " + location.rest(); }
            protected <T> T call(long bytes, Backing.Operation<T> operation) throws BackingException {
              String loader = Thread.currentThread().getContextClassLoader().getName();
              throw new BackingException(new BackingFailure.Other("called under " + loader));
            }
          };
        }
      }
      """;

  @TempDir Path directory;

  private Path folder;

  @BeforeEach
  void makeJar() throws IOException {
    Path source = Files.createDirectory(directory.resolve("elsewhere")).resolve("Provider.java");
    Files.writeString(source, PROVIDER);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                directory.toString(),
                source.toString());
    assertThat(result).isZero();
    folder = Files.createDirectory(directory.resolve("backing"));
    Path jars = Files.createDirectory(folder.resolve("s3"));
    try (OutputStream file = Files.newOutputStream(jars.resolve("store.jar"));
        JarOutputStream jar = new JarOutputStream(file)) {
      for (String name : new String[] {"elsewhere/Provider.class", "elsewhere/Provider$1.class"}) {
        jar.putNextEntry(new JarEntry(name));
        jar.write(Files.readAllBytes(directory.resolve(name)));
      }
      jar.putNextEntry(new JarEntry("META-INF/services/" + BackingProvider.class.getName()));
      jar.write("elsewhere.Provider\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aFolderIsLoadedWhenItsSchemeIsUsed() {
    BackingStore store = new BackingStores(folder).open("s3://bucket");
    assertThat(store.description()).isEqualTo("elsewhere //bucket");
    // Libraries look for their own parts under the thread's loader.
    assertThatThrownBy(store::check).hasMessage("called under backing-s3");
    assertThat(String.valueOf(Thread.currentThread().getContextClassLoader().getName()))
        .isNotEqualTo("backing-s3");
  }

  @Test
  void aFolderThatIsMissingIsNamed() {
    BackingStores stores = new BackingStores(folder);
    assertThatThrownBy(() -> stores.open("hdfs://host/dir"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(folder.resolve("hdfs").toString());
  }
}
