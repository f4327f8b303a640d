// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.ForebayOptions;
import io.forebay.client.fake.FakeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesTest {
  private FakeServer server;
  private FileSystem files;
  private Path root;

  @BeforeEach
  void connect() throws IOException {
    server = new FakeServer(2, 1, 0);
    files = FileSystems.newFileSystem(URI.create(server.uri()), Map.of());
    root = files.getPath("/");
  }

  @AfterEach
  void disconnect() throws IOException {
    files.close();
    server.close();
  }

  @Test
  void filesAreWrittenAndRead() throws IOException {
    Path file = root.resolve("hello.txt");
    Files.writeString(file, "hello\n");
    Files.writeString(file, "again\n", StandardOpenOption.APPEND);
    assertThat(Files.readAllLines(file)).containsExactly("hello", "again");
    assertThat(Files.size(file)).isEqualTo(12);
    byte[] large = new byte[3_000_000];
    new Random(1).nextBytes(large);
    Files.write(file, large);
    assertThat(Files.readAllBytes(file)).isEqualTo(large);
  }

  @Test
  void filesAreCopiedFromAndToOtherFileSystems(@TempDir Path local) throws IOException {
    byte[] bytes = new byte[2_500_000];
    new Random(2).nextBytes(bytes);
    Files.write(local.resolve("in"), bytes);
    Files.copy(local.resolve("in"), root.resolve("buffered"));
    Files.move(root.resolve("buffered"), local.resolve("out"));
    assertThat(local.resolve("out")).hasBinaryContent(bytes);
    assertThat(root.resolve("buffered")).doesNotExist();
  }

  @Test
  void pathsFromUrisConnectByThemselves() throws IOException {
    Files.writeString(root.resolve("a b%"), "text");
    URI uri = root.resolve("a b%").toUri();
    assertThat(uri.toString()).endsWith("/scratch/a%20b%25");
    assertThat(Files.readString(Path.of(uri))).isEqualTo("text");
    assertThat(Path.of(uri)).isEqualTo(root.resolve("a b%"));
    assertThat(FileSystems.getFileSystem(uri)).isSameAs(files);
    assertThatThrownBy(() -> FileSystems.newFileSystem(uri, Map.of()))
        .isInstanceOf(FileSystemAlreadyExistsException.class);
    files.close();
    assertThatThrownBy(() -> FileSystems.getFileSystem(uri))
        .isInstanceOf(FileSystemNotFoundException.class);
    Path again = Path.of(uri);
    assertThat(Files.readString(again)).isEqualTo("text");
    files = again.getFileSystem();
  }

  @Test
  void directories() throws IOException {
    Files.createDirectories(root.resolve("a/b/c"));
    Files.createFile(root.resolve("a/one.txt"));
    Files.createFile(root.resolve("a/two.dat"));
    try (Stream<Path> walked = Files.walk(root)) {
      assertThat(walked.map(Path::toString))
          .containsExactly("/", "/a", "/a/b", "/a/b/c", "/a/one.txt", "/a/two.dat");
    }
    try (DirectoryStream<Path> texts = Files.newDirectoryStream(root.resolve("a"), "*.txt")) {
      assertThat(texts).extracting(Path::toString).containsExactly("/a/one.txt");
    }
    assertThatThrownBy(() -> Files.newDirectoryStream(root.resolve("a/one.txt")))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> Files.delete(root.resolve("a")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThatThrownBy(() -> Files.createDirectory(root.resolve("a")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.deleteIfExists(root.resolve("none"))).isFalse();
    assertThat(Files.isHidden(root.resolve(".hidden"))).isTrue();
  }

  @Test
  void openOptions() throws IOException {
    Path file = root.resolve("file");
    assertThatThrownBy(() -> Files.newByteChannel(file)).isInstanceOf(NoSuchFileException.class);
    Set<StandardOpenOption> options =
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SYNC);
    try (SeekableByteChannel channel = Files.newByteChannel(file, options)) {
      channel.write(ascii("0123456789"));
      assertThat(Files.size(file)).isEqualTo(10);
      channel.position(3);
      ByteBuffer three = ByteBuffer.allocate(3);
      channel.read(three);
      assertThat(three.flip()).isEqualTo(ascii("345"));
      channel.truncate(5);
      assertThat(channel.size()).isEqualTo(5);
      assertThat(channel.position()).isEqualTo(5);
    }
    assertThatThrownBy(() -> Files.newByteChannel(file, options))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (SeekableByteChannel channel =
        Files.newByteChannel(file, StandardOpenOption.APPEND, StandardOpenOption.DELETE_ON_CLOSE)) {
      channel.write(ascii("x"));
      assertThat(channel.position()).isEqualTo(6);
    }
    assertThat(file).doesNotExist();
    assertThatThrownBy(() -> FileChannel.open(root.resolve("x"), StandardOpenOption.READ))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void copiesAndMoves() throws IOException {
    Path one = root.resolve("one");
    Path two = root.resolve("two");
    Files.writeString(one, "one");
    Files.setLastModifiedTime(one, FileTime.from(Instant.ofEpochSecond(99)));
    Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("rw-r-----"));
    Files.copy(one, two, StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(Files.readString(two)).isEqualTo("one");
    assertThat(Files.getLastModifiedTime(two).toInstant()).isEqualTo(Instant.ofEpochSecond(99));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(two)))
        .isEqualTo("rw-r-----");
    assertThatThrownBy(() -> Files.copy(one, two)).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> Files.move(one, two))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("/two");
    Files.writeString(one, "first");
    Files.move(one, two, StandardCopyOption.REPLACE_EXISTING);
    assertThat(Files.readString(two)).isEqualTo("first");
    assertThat(one).doesNotExist();
    Files.createDirectory(one);
    Files.move(two, one, StandardCopyOption.REPLACE_EXISTING);
    assertThat(Files.readString(one)).isEqualTo("first");
    Files.move(one, two, StandardCopyOption.ATOMIC_MOVE);
    assertThat(Files.readString(two)).isEqualTo("first");
    Files.move(two, two);
    assertThat(two).exists();
  }

  @Test
  void links() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "text");
    Path link = Files.createSymbolicLink(root.resolve("link"), files.getPath("file"));
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readSymbolicLink(link)).isEqualTo(files.getPath("file"));
    assertThat(Files.readString(link)).isEqualTo("text");
    assertThat(Files.isSameFile(link, file)).isTrue();
    assertThat(link.toRealPath()).isEqualTo(file);
    assertThat(link.toRealPath(LinkOption.NOFOLLOW_LINKS)).isEqualTo(link);
    Path hard = Files.createLink(root.resolve("hard"), file);
    assertThat(Files.isSameFile(hard, file)).isTrue();
    assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
    Files.copy(link, root.resolve("link2"), LinkOption.NOFOLLOW_LINKS);
    assertThat(Files.isSymbolicLink(root.resolve("link2"))).isTrue();
    Files.delete(file);
    assertThat(Files.exists(link)).isFalse();
    assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(Files.readString(hard)).isEqualTo("text");
  }

  @Test
  void attributes() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "text");
    Map<String, Object> all = Files.readAttributes(file, "posix:*");
    assertThat(all).containsEntry("size", 4L).containsEntry("isRegularFile", true);
    Files.setAttribute(file, "unix:mode", 0600);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    Files.setOwner(file, files.getUserPrincipalLookupService().lookupPrincipalByName("1234"));
    assertThat(Files.getOwner(file).getName()).isEqualTo("1234");
    UserDefinedFileAttributeView extras =
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    extras.write("colour", ascii("blue"));
    assertThat(extras.list()).isEqualTo(List.of("colour"));
    assertThat(Files.getAttribute(file, "user:colour"))
        .isEqualTo("blue".getBytes(StandardCharsets.US_ASCII));
    FileStore store = Files.getFileStore(file);
    assertThat(store.type()).isEqualTo("forebay");
    assertThat(store.supportsFileAttributeView("posix")).isTrue();
  }

  @Test
  void accessIsChecked() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "text");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(Files.isReadable(file)).isTrue();
    boolean isRoot =
        ForebayOptions.defaults().identity().user() == io.forebay.wire.message.Identity.ROOT;
    assertThat(Files.isWritable(file)).isEqualTo(isRoot);
    assertThatThrownBy(() -> files.provider().checkAccess(file, java.nio.file.AccessMode.EXECUTE))
        .isInstanceOf(AccessDeniedException.class);
  }

  private static ByteBuffer ascii(String text) {
    return StandardCharsets.US_ASCII.encode(text);
  }
}
