// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.store;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What files and claims promise, wherever they are. */
@Timeout(60)
abstract class StorageContract {
  private static final long PLACE_BYTES = 100;

  /** A folder that is empty and nobody else's. */
  abstract Path folder() throws IOException;

  private final Storage storage = Storage.standard();

  private static MemorySegment bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) bytes[i] = (byte) values[i];
    return MemorySegment.ofArray(bytes);
  }

  private static byte[] read(SharedFile file, long offset, int length) throws IOException {
    MemorySegment memory = MemorySegment.ofArray(new byte[length]);
    long read = file.read(memory, offset);
    return memory.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void otherHandlesSeeWhatWasPublished() throws IOException {
    Path path = folder().resolve("file");
    try (SharedFile first = storage.open(path, CREATE_NEW, READ, WRITE);
        SharedFile second = storage.open(path, READ, WRITE)) {
      first.write(bytes(1, 2, 3), 2);
      assertThat(read(first, 0, 10)).containsExactly(0, 0, 1, 2, 3);
      first.publish();
      assertThat(read(second, 3, 10)).containsExactly(2, 3);
      second.write(bytes(9), 4);
      second.force();
      assertThat(read(first, 0, 5)).containsExactly(0, 0, 1, 2, 9);
      assertThat(read(first, 5, 5)).isEmpty();
      assertThat(first.sizeBytes()).isEqualTo(5);
    }
  }

  @Test
  void filesBecomeLongerAndNeverShorter() throws IOException {
    Path path = folder().resolve("file");
    try (SharedFile file = storage.open(path, CREATE_NEW, READ, WRITE)) {
      file.write(bytes(1), 0);
      file.extend(4);
      assertThat(read(file, 0, 10)).containsExactly(1, 0, 0, 0);
      file.extend(2);
      assertThat(file.sizeBytes()).isEqualTo(4);
    }
    assertThat(Files.size(path)).isEqualTo(4);
  }

  @Test
  void memoryOfAnyKindIsWritten() throws IOException {
    Path path = folder().resolve("file");
    int length = 3 << 20;
    try (Arena arena = Arena.ofShared();
        Arena own = Arena.ofConfined();
        SharedFile file = storage.open(path, CREATE_NEW, READ, WRITE)) {
      MemorySegment memory = arena.allocate(length);
      for (int i = 0; i < length; i++) memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31));
      file.write(memory, 1000);
      MemorySegment back = arena.allocate(length);
      assertThat(file.read(back, 1000)).isEqualTo(length);
      assertThat(back.mismatch(memory)).isEqualTo(-1);
      // What only this thread may access, too.
      MemorySegment mine = own.allocate(length);
      assertThat(file.read(mine, 1000)).isEqualTo(length);
      assertThat(mine.mismatch(memory)).isEqualTo(-1);
      file.write(mine.asSlice(7), 1000);
      assertThat(file.read(back, 1000)).isEqualTo(length);
      assertThat(back.asSlice(0, length - 7).mismatch(memory.asSlice(7))).isEqualTo(-1);
    }
  }

  @Test
  void whatIsThereOrNotIsTold() throws IOException {
    Path path = folder().resolve("file");
    assertThatThrownBy(() -> storage.open(path, READ)).isInstanceOf(NoSuchFileException.class);
    storage.open(path, CREATE_NEW, WRITE).close();
    assertThatThrownBy(() -> storage.open(path, CREATE_NEW, WRITE))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aFileIsInUseUntilItIsClosed() throws IOException {
    Path path = folder().resolve("file");
    Claims claims = Claims.of(path);
    assertThat(claims.isUsed(path, PLACE_BYTES)).isFalse();
    try (SharedFile first = claims.make(path);
        SharedFile second = storage.open(path, READ, WRITE)) {
      assertThat(claims.claim(first, 0)).isTrue();
      assertThat(claims.claim(second, PLACE_BYTES)).isTrue();
      second.write(bytes(1), PLACE_BYTES);
      second.publish();
      assertThat(claims.isUsed(path, PLACE_BYTES)).isTrue();
    }
    assertThat(claims.isUsed(path, PLACE_BYTES)).isFalse();
    // What was left is replaced.
    try (SharedFile again = claims.make(path)) {
      assertThat(again.sizeBytes()).isZero();
    }
    Files.delete(path);
  }
}
