// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.contract.PackContract;
import io.forebay.base.PackPlace;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs in a directory, and as anybody sees them who knows ZIP. */
class PackTest {
  private static final long MODIFY_NANOS = 1_700_000_000_000_000_000L;

  @TempDir Path directory;

  @Test
  void aDirectoryKeepsThem() throws Exception {
    try (BackingStore store = new BackingStores(null).open(directory.toString())) {
      new PackContract(store).run();
    }
  }

  @Test
  void areArchivesThatAnybodyCanUnpack() throws IOException {
    long seed = TestSeed.first("PackTest");
    System.out.println("packs: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<PackMember> members = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] content = new byte[random.nextInt(3000)];
      random.nextBytes(content);
      contents.add(content);
      FileAttributes attributes = new FileAttributes(0600 + random.nextInt(64), 1, 2, MODIFY_NANOS);
      members.add(new PackMember("dir/nämé " + i, content.length, attributes));
    }
    PackLayout layout = new PackLayout(members);
    Path archive = directory.resolve("pack.zip");
    write(archive, layout.framed(cutAnywhere(contents, random)));
    assertThat(Files.size(archive)).isEqualTo(layout.sizeBytes());
    byte[] all = Files.readAllBytes(archive);
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      assertThat(zip.size()).isEqualTo(members.size());
      for (int i = 0; i < members.size(); i++) {
        ZipEntry entry = zip.getEntry(members.get(i).path());
        assertThat(zip.getInputStream(entry).readAllBytes()).isEqualTo(contents.get(i));
        int from = (int) layout.offset(i);
        assertThat(ByteBuffer.wrap(all, from, contents.get(i).length))
            .isEqualTo(ByteBuffer.wrap(contents.get(i)));
      }
    }
  }

  private static void write(Path archive, List<ByteBuffer> buffers) throws IOException {
    try (FileChannel channel =
        FileChannel.open(archive, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (ByteBuffer buffer : buffers) while (buffer.hasRemaining()) channel.write(buffer);
    }
  }

  private static List<ByteBuffer> cutAnywhere(List<byte[]> contents, SplittableRandom random) {
    ByteBuffer all = ByteBuffer.allocate(contents.stream().mapToInt(each -> each.length).sum());
    for (byte[] content : contents) all.put(content);
    all.flip();
    List<ByteBuffer> pieces = new ArrayList<>();
    while (all.hasRemaining()) {
      int length = Math.min(all.remaining(), 1 + random.nextInt(5000));
      pieces.add(all.slice(all.position(), length));
      all.position(all.position() + length);
    }
    return pieces;
  }

  @Test
  void whatIsNoSoundPackIsNamed() throws IOException {
    Path packs = Files.createDirectories(directory.resolve(".forebay/packs"));
    Files.writeString(packs.resolve("1-x.zip"), "this is not an archive, whatever it is called");
    try (BackingStore store = new BackingStores(null).open(directory.toString())) {
      assertThatThrownBy(() -> PackCatalogue.read(store, new PackCache()))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("1-x.zip")
          .hasMessageContaining("move it away");
      Files.delete(packs.resolve("1-x.zip"));
      Files.writeString(packs.resolve("1-x.notes"), "forebay-notes 1\n1 b 0 -\ncrc32c 0\n");
      assertThatThrownBy(() -> PackCatalogue.read(store, new PackCache()))
          .hasMessageContaining("1-x.notes");
    }
  }

  @Test
  void aPlaceIsKnownByItsText() {
    PackPlace place = new PackPlace("0005-a.1.zip", 3, 400, 50, 9);
    assertThat(PackPlace.parse(place.toString())).isEqualTo(place);
    assertThat(PackPlace.parse("c17")).isNull();
    assertThat(PackPlace.parse("pack:no place")).isNull();
    PackPlace renamed = new PackPlace("0005-a.1.zip", 3, 400, 50, 12);
    assertThat(PackPlace.sameContent(place.toString(), renamed.toString())).isTrue();
    assertThat(PackPlace.sameContent(place.toString(), "c17")).isFalse();
  }
}
