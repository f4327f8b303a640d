// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InstanceStorageTest extends StorageContract {
  private static EmbeddedCluster cluster;
  private static int folders;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster = EmbeddedCluster.builder().servers(1).copies(1).start();
  }

  @AfterAll
  static void stop() throws IOException {
    FileNames.parse(cluster.uri()).getFileSystem().close();
    cluster.close();
  }

  @Override
  Path folder() throws IOException {
    return Files.createDirectory(FileNames.parse(cluster.uri() + "/folder" + ++folders));
  }

  @Test
  void aFileOfAnotherProgramIsInUseUntilThatIsGone() throws IOException {
    Path path = folder().resolve("file");
    Claims claims = Claims.of(path);
    Forebay other = Forebay.connect(cluster.uri(), ForebayOptions.defaults());
    ForebayFile made =
        other.open(
            path.toAbsolutePath().toString(),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    assertThat(claims.isUsed(path, 1)).isTrue();
    made.write(ByteBuffer.wrap(new byte[10]), 0);
    made.sync();
    assertThat(claims.isUsed(path, 1)).isTrue();
    assertThatThrownBy(() -> claims.make(path)).isInstanceOf(FileAlreadyExistsException.class);
    // It goes without closing the file, which is what being killed looks like, only sooner.
    other.close();
    assertThat(claims.isUsed(path, 1)).isFalse();
    claims.make(path).close();
  }

  @Test
  void namesThatAreNoneAreTold() {
    assertThatThrownBy(() -> FileNames.parse("forebay:nonsense"))
        .isInstanceOfSatisfying(
            NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.BAD_NAME));
    assertThatThrownBy(() -> FileNames.parse("forebay://127.0.0.1:1/none/file"))
        .isInstanceOfSatisfying(
            NetcdfException.class, e -> assertThat(e.error()).isEqualTo(NetcdfError.STORAGE));
  }
}
