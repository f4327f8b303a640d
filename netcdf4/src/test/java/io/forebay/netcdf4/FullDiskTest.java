// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk of one mebibyte, and variables of four. */
@Timeout(60)
class FullDiskTest {
  private static final int DISK_BYTES = 1 << 20;
  private static final int VARIABLE_BYTES = 4 << 20;
  static final int ROWS = 4;
  static final int COLUMNS = VARIABLE_BYTES / ROWS;

  @TempDir Path directory;
  @TempDir Path elsewhere;

  private boolean mounted;
  private Path path;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    Judges.assumeLibrary();
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", directory.toString());
    assumeTrue(mounted, "needs the right to mount: run the suite as root");
    path = directory.resolve("file.nc");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    // Lazily: HDF5 keeps a file open that it could not flush.
    if (mounted) assertThat(run("umount", "-l", directory.toString())).isTrue();
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  static Header header() {
    return new Header(
        Format.CDF5,
        0,
        List.of(new Dimension("y", ROWS), new Dimension("x", COLUMNS)),
        List.of(),
        List.of(Sample.variable("v", ElementType.BYTE, List.of(0, 1))));
  }

  /** Bytes that do not deflate. */
  static MemorySegment noise(Arena arena) {
    byte[] bytes = new byte[VARIABLE_BYTES];
    new Random(1).nextBytes(bytes);
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  @Test
  void failedWriteLeavesTheFileIncomplete() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Netcdf4File file = Netcdf4File.create(path, header(), Netcdf4Options.standard());
      long[] zero = {0, 0};
      long[] all = {ROWS, COLUMNS};
      assertThatThrownBy(() -> file.write(0, zero, all, noise(arena)))
          .isInstanceOf(NetcdfException.class)
          .hasMessageContainingAll(
              path + ": nc_put_vara of variable 'v' fails: NetCDF: HDF error",
              directory + " has 0 bytes of free space");
      long[] one = {1, 1};
      assertThatThrownBy(() -> file.write(0, zero, one, arena.allocate(1)))
          .hasMessageContaining("is incomplete, since an earlier call failed");
      assertThatThrownBy(file::sync).hasMessageContaining("is incomplete");
      // libnetcdf itself closes this file without an error.
      assertThatThrownBy(file::close).hasMessageContaining("is incomplete");
      file.close();
    }
  }

  @Test
  void failedCloseSaysSo() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      Netcdf4Options deflated = Netcdf4Options.standard().withDeflateLevel(1);
      Netcdf4File file = Netcdf4File.create(path, header(), deflated);
      // HDF5 keeps these chunks in memory.
      file.write(0, new long[2], new long[] {ROWS, COLUMNS}, noise(arena));
      assertThatThrownBy(file::close)
          .isInstanceOf(NetcdfException.class)
          .hasMessageContaining(path + ": nc_close fails: NetCDF: HDF error");
      file.close();
      assertThatThrownBy(file::sync).hasMessageContaining("it is closed");
      // The library works on.
      Path other = elsewhere.resolve("other.nc");
      Netcdf4File.create(other, header(), deflated).close();
      assertThat(other).isNotEmptyFile();
    }
  }

  /** HDF5 would close the file again at the end of the process, and crash. */
  @Test
  void processEndsAsUsualAfterAFailedClose() throws Exception {
    Path output = elsewhere.resolve("output");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FullDiskMain.class.getName(),
                path.toString())
            .directory(elsewhere.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(child.waitFor()).as(Files.readString(output)).isZero();
    assertThat(output).content().startsWith("close failed: ").hasLineCount(1);
  }

  @Test
  void rawFileIsSparseAndItsWritersSeeTheFullDisk() throws IOException {
    RawLayout layout = Netcdf4File.createContiguous(path, header(), Netcdf4Options.standard());
    assertThat(Files.size(path)).isGreaterThan(VARIABLE_BYTES).isEqualTo(layout.fileBytes());
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = noise(arena).asByteBuffer();
      assertThatThrownBy(
              () -> {
                long at = layout.address(0, 0);
                while (bytes.hasRemaining()) at += channel.write(bytes, at);
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device");
    }
  }

  @Test
  void diskThatIsFullFromTheBeginning() throws IOException {
    Files.write(directory.resolve("filler"), new byte[DISK_BYTES]);
    assertThatThrownBy(
            () -> Netcdf4File.createContiguous(path, header(), Netcdf4Options.standard()))
        .isInstanceOf(NetcdfException.class)
        .hasMessageContainingAll(
            path + ": nc_create fails", directory + " has 0 bytes of free space");
    assertThat(path).doesNotExist();
  }
}
