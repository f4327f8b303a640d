// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of others, which raw writes would destroy: each is refused with its reason. */
@Timeout(60)
class StoragePlacesTest {
  private static final int ALIGNMENT_BYTES = 4096;

  @TempDir Path folder;

  private Path path;

  @BeforeEach
  void assume() throws IOException {
    Judges.assumeLibrary();
    Judges.assumePython("h5py", "python3-h5py");
    path = folder.resolve("file.nc");
  }

  private void refuses(String creation, String reason) throws IOException {
    new Judges(folder)
        .python("import h5py, numpy, sys\nfile = h5py.File(sys.argv[1], 'w')\n" + creation, path);
    assertThatThrownBy(this::read)
        .isInstanceOf(NetcdfException.class)
        .hasMessageContaining(path + ": variable 'v' " + reason);
  }

  private RawLayout read() throws NetcdfException {
    Header header =
        new Header(
            Format.CDF5,
            0,
            List.of(new Dimension("x", 1024)),
            List.of(),
            List.of(Sample.variable("v", ElementType.INT, List.of(0))));
    FixedShape shape = FixedShape.of(header);
    FileCalls calls = new FileCalls(Netcdf4Library.load(Netcdf4Library.FILE), path);
    return calls
        .library()
        .exclusively(() -> new StoragePlaces(calls, shape, ALIGNMENT_BYTES).read());
  }

  @Test
  void chunked() throws IOException {
    refuses("file.create_dataset('v', (1024,), '<i4', chunks=(32,))", "is not contiguous");
  }

  @Test
  void notAllocated() throws IOException {
    refuses("file.create_dataset('v', (1024,), '<i4')", "is not allocated");
  }

  @Test
  void otherSize() throws IOException {
    refuses(
        "file.create_dataset('v', data=numpy.zeros(1000, '<i4'))",
        "has 4000 bytes instead of 4096");
  }

  @Test
  void otherType() throws IOException {
    refuses("file.create_dataset('v', data=numpy.zeros(512, '<i8'))", "has elements of 8 bytes");
  }

  @Test
  void otherByteOrder() throws IOException {
    String order = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? "<" : ">";
    refuses(
        "file.create_dataset('v', data=numpy.zeros(1024, '" + order + "i4'))",
        "has not the byte order of this machine");
  }

  @Test
  void notAligned() throws IOException {
    refuses(
        "file.create_dataset('v', data=numpy.zeros(1024, '=i4'))",
        "begins at 2048, no multiple of 4096");
  }

  @Test
  void missing() throws IOException {
    new Judges(folder).python("import h5py, sys\nh5py.File(sys.argv[1], 'w').close()", path);
    assertThatThrownBy(this::read)
        .hasMessageContaining("H5Dopen2 of variable 'v' fails: HDF5 returns an error");
  }

  @Test
  void cutOff() throws IOException {
    RawLayout layout =
        Netcdf4File.createContiguous(
            path,
            new Header(
                Format.CDF5,
                0,
                List.of(new Dimension("x", 1024)),
                List.of(),
                List.of(Sample.variable("v", ElementType.INT, List.of(0)))),
            Netcdf4Options.standard().withAlignmentBytes(ALIGNMENT_BYTES));
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(layout.fileBytes() - 1);
    }
    assertThatThrownBy(this::read).hasMessageContaining(path.toString());
  }
}
