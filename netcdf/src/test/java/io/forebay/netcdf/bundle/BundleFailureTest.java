// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFiles;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.file.TemporaryName;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store or a rank that fails: all ranks get the same error, and no half file stays. */
@Timeout(120)
class BundleFailureTest {
  private static final int RANKS = 6;

  @TempDir private Path directory;

  enum Fault {
    OPEN,
    WRITE,
    CLOSE
  }

  /** Fails for files of one bundle. */
  private static Storage failing(Fault fault, String bundle) {
    Storage standard = Storage.standard();
    return (path, options) -> {
      boolean isMeant = path.getFileName().toString().startsWith(bundle);
      if (isMeant && fault == Fault.OPEN) throw new IOException("the disk is on fire");
      SharedFile file = standard.open(path, options);
      return isMeant ? new FailingFile(file, fault) : file;
    };
  }

  private static final class FailingFile extends ForwardingFile {
    private final Fault fault;

    FailingFile(SharedFile file, Fault fault) {
      super(file);
      this.fault = fault;
    }

    @Override
    public void write(MemorySegment source, long offset) throws IOException {
      if (fault == Fault.WRITE && offset >= sizeBytes() / 20)
        throw new IOException("the disk is on fire");
      super.write(source, offset);
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (fault == Fault.CLOSE) throw new IOException("the disk is on fire");
    }
  }

  private ConcurrentMap<Integer, String> errors(
      Storage storage, BundleOptions options, String names) throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    NetcdfFiles files = new NetcdfFiles(storage, MonotonicClock.system());
    ConcurrentMap<Integer, String> told = new ConcurrentHashMap<>();
    ThreadRanks.run(
        RANKS,
        2,
        group -> {
          try (BundleSet set =
              BundleSet.create(group, bundles, Blocks.even(group), options, files)) {
            set.write(names, BundleModel.data(bundles, Blocks.even(group), 0));
          } catch (NetcdfException e) {
            told.put(group.rank(), String.valueOf(e.getMessage()));
          }
        });
    return told;
  }

  private void assertSame(ConcurrentMap<Integer, String> told, String... parts) {
    assertThat(told).hasSize(RANKS);
    assertThat(told.values()).allSatisfy(text -> assertThat(text).contains(parts));
    assertThat(told.values().stream().distinct()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aStoreThatFailsForOneBundleFailsTheStepOnAllRanks(Fault fault) throws IOException {
    for (Scheme scheme : Scheme.values()) {
      BundleOptions options = BundleOptions.defaults().withScheme(scheme).withAggregators(2);
      assertSame(
          errors(failing(fault, "moist"), options, directory + "/{bundle}.nc"),
          "rank ",
          "bundle 'moist', file '" + directory + "/moist.nc': ",
          "the disk is on fire");
      assertThat(directory).isEmptyDirectory();
    }
    BundleOptions automatic = BundleOptions.defaults();
    assertSame(
        errors(failing(fault, "surf"), automatic, directory + "/{bundle}.nc"), "bundle 'surf'");
    assertThat(directory).isEmptyDirectory();
  }

  /** A log on fast storage would fill it up, step by step. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void aStoreThatFailsLeavesNoLog(Fault fault) throws IOException {
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Path files = Files.createDirectory(directory.resolve("files"));
    BundleOptions logged =
        BundleOptions.defaults()
            .withHints(Hints.parse("burst_buffer=enable;burst_buffer_dir=" + logs));
    assertSame(
        errors(failing(fault, "moist"), logged, files + "/{bundle}.nc"),
        "bundle 'moist'",
        "the disk is on fire");
    assertThat(files).isEmptyDirectory();
    assertThat(logs).isEmptyDirectory();
  }

  @Test
  void aSetWritesOnAfterAFailedStep() throws IOException {
    List<Bundle> bundles = BundleModel.bundles();
    Path later = directory.resolve("later");
    ThreadRanks.run(
        RANKS,
        group -> {
          try (BundleSet set =
              BundleSet.create(group, bundles, Blocks.even(group), BundleOptions.defaults())) {
            StepData data = BundleModel.data(bundles, Blocks.even(group), 0);
            assertThatThrownBy(() -> set.write(later + "/{bundle}.nc", data))
                .isInstanceOf(NetcdfException.class)
                .hasMessageContaining("does not exist; create it first");
            group.barrier();
            if (group.rank() == 0) Files.createDirectory(later);
            group.barrier();
            set.write(later + "/{bundle}.nc", data);
          }
        });
    try (Stream<Path> files = Files.list(later)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void aNameThatIsADirectoryIsTold() throws IOException {
    Files.createDirectory(directory.resolve("turb.nc"));
    assertSame(
        errors(Storage.standard(), BundleOptions.defaults(), directory + "/{bundle}.nc"),
        "bundle 'turb'",
        "is a directory; choose another name");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("turb.nc"));
    }
  }

  @Test
  void anOlderFileStaysUntilTheNewOneIsWhole() throws IOException {
    Path old = Files.writeString(directory.resolve("moist.nc"), "of yesterday");
    errors(failing(Fault.WRITE, "turb"), BundleOptions.defaults(), directory + "/{bundle}.nc");
    assertThat(old).hasContent("of yesterday");
    // A program that was killed has left this.
    Files.writeString(directory.resolve("moist.nc" + TemporaryName.SUFFIX), "half");
    assertThat(errors(Storage.standard(), BundleOptions.defaults(), directory + "/{bundle}.nc"))
        .isEmpty();
    Path expected = directory.resolve("expected");
    BundleModel.writeSerially(BundleModel.bundles().getFirst(), 0, 0, expected);
    assertThat(Files.mismatch(old, expected)).isEqualTo(-1);
  }

  @Test
  void aRankThatEndsInTheMiddleEndsAllAndLeavesNoFile() {
    List<Bundle> bundles = BundleModel.bundles();
    assertThatThrownBy(
            () ->
                ThreadRanks.run(
                    RANKS,
                    2,
                    group -> {
                      BundleSet set = create(group, bundles);
                      if (group.rank() == 3) throw new IOException("the node is gone");
                      set.write(
                          directory + "/{bundle}.nc",
                          BundleModel.data(bundles, Blocks.even(group), 0));
                    }))
        .hasMessageContaining("the node is gone");
    assertThat(directory).isEmptyDirectory();
  }

  private static BundleSet create(Group group, List<Bundle> bundles) throws IOException {
    return BundleSet.create(group, bundles, Blocks.even(group), BundleOptions.defaults());
  }
}
