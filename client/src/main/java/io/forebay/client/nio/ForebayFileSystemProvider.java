// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.ForebayUri;
import io.forebay.client.file.FileStat;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Instances as file systems. {@code Path.of} with a URI of the scheme connects by itself; {@link
 * java.nio.file.FileSystems#newFileSystem} does so with options: a {@link ForebayOptions} under the
 * key {@code options}.
 */
public final class ForebayFileSystemProvider extends FileSystemProvider {
  /** Under this key {@code newFileSystem} takes a {@link ForebayOptions}. */
  public static final String OPTIONS_KEY = "options";

  /** Which instance of which cluster. */
  record Key(String authority, String instance) {
    static Key of(ForebayUri uri) {
      return new Key(uri.authority(), uri.instance());
    }
  }

  private static final int MODE_FILE = 0644;
  private static final int MODE_DIRECTORY = 0755;
  private static final int READ_BIT = 4;
  private static final int WRITE_BIT = 2;
  private static final int EXECUTE_BIT = 1;

  private final Map<Key, ForebayFileSystem> open = new HashMap<>();

  /** For the JDK, which finds this class by its name. */
  public ForebayFileSystemProvider() {}

  @Override
  public String getScheme() {
    return ForebayUri.SCHEME;
  }

  // File systems.

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    Object options = env.get(OPTIONS_KEY);
    if (options != null && !(options instanceof ForebayOptions)) {
      throw new IllegalArgumentException("'" + OPTIONS_KEY + "' must be a ForebayOptions");
    }
    synchronized (open) {
      if (open.containsKey(Key.of(parse(uri)))) {
        throw new FileSystemAlreadyExistsException(uri.toString());
      }
      return connect(
          parse(uri), options instanceof ForebayOptions given ? given : ForebayOptions.defaults());
    }
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    synchronized (open) {
      ForebayFileSystem found = open.get(Key.of(parse(uri)));
      if (found == null) throw new FileSystemNotFoundException(uri.toString());
      return found;
    }
  }

  /** A path; connects to its instance if that has not been done. */
  @Override
  public Path getPath(URI uri) {
    ForebayUri parsed = parse(uri);
    synchronized (open) {
      ForebayFileSystem found = open.get(Key.of(parsed));
      try {
        if (found == null) found = connect(parsed, ForebayOptions.defaults());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return ForebayPath.parse(found, parsed.path());
    }
  }

  private ForebayFileSystem connect(ForebayUri uri, ForebayOptions options) throws IOException {
    Forebay client = Forebay.connect(uri.toString(), options);
    ForebayFileSystem made = new ForebayFileSystem(this, Key.of(uri), client);
    open.put(Key.of(uri), made);
    return made;
  }

  private static ForebayUri parse(URI uri) {
    String path = uri.getPath() == null ? "" : uri.getPath();
    ForebayUri parsed = ForebayUri.parse(uri.getScheme() + "://" + uri.getAuthority() + path);
    if (parsed.instance().isEmpty()) {
      throw new IllegalArgumentException("'" + uri + "' names no instance; write " + uri + "/NAME");
    }
    return parsed;
  }

  void forget(Key key) {
    synchronized (open) {
      open.remove(key);
    }
  }

  // Content.

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return open(path, options, attributes).channel();
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    for (OpenOption option : options) {
      if (option == StandardOpenOption.WRITE || option == StandardOpenOption.APPEND) {
        throw new UnsupportedOperationException("an input stream with option " + option);
      }
    }
    return open(path, List.of(options)).inputStream(0);
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    List<OpenOption> all =
        options.length == 0
            ? List.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)
            : new ArrayList<>(Arrays.asList(options));
    if (all.contains(StandardOpenOption.READ)) {
      throw new IllegalArgumentException("an output stream with option READ");
    }
    if (options.length > 0) all.add(StandardOpenOption.WRITE);
    return open(path, all).outputStream(0);
  }

  private static ForebayFile open(
      Path path, Collection<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    String text = text(path);
    Forebay client = client(path);
    if (options.contains(LinkOption.NOFOLLOW_LINKS) && isLink(client, text)) {
      throw new FileSystemException(text, null, "is a symbolic link, which is not to be followed");
    }
    return client.open(text, options, mode(MODE_FILE, attributes));
  }

  private static boolean isLink(Forebay client, String path) throws IOException {
    try {
      return client.stat(path, false).kind() == FileStat.Kind.SYMLINK;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static int mode(int otherwise, FileAttribute<?>... attributes) {
    int mode = otherwise;
    for (FileAttribute<?> attribute : attributes) {
      if (!attribute.name().equals("posix:permissions")) {
        throw new UnsupportedOperationException("attribute " + attribute.name());
      }
      mode = StatAttributes.modeOf(NamedAttributes.permissions(attribute.value()));
    }
    return mode;
  }

  // Names.

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    return new NameStream(directory, client(directory).list(text(directory)), filter);
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    client(directory).mkdir(text(directory), mode(MODE_DIRECTORY, attributes));
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    if (attributes.length > 0) throw new UnsupportedOperationException("a link with attributes");
    client(link).symlink(ForebayPath.of(target).toString(), text(link));
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    client(link).link(text(existing), text(link));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    if (!isLink(client(link), text(link))) {
      // Also fails if there is nothing at all.
      client(link).stat(text(link), false);
      throw new NotLinkException(link.toString());
    }
    return link.getFileSystem().getPath(client(link).readlink(text(link)));
  }

  @Override
  public void delete(Path path) throws IOException {
    Forebay client = client(path);
    if (client.stat(text(path), false).isDirectory()) client.rmdir(text(path));
    else client.unlink(text(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    new Transfer(source, target, options).copy();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    new Transfer(source, target, options).move();
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    if (one.equals(other)) return true;
    if (!(other instanceof ForebayPath that)) return false;
    if (!one.getFileSystem().equals(that.getFileSystem())) return false;
    return client(one).stat(text(one)).number() == client(that).stat(text(that)).number();
  }

  @Override
  public boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    client(path).stat(text(path));
    return new InstanceStore(client(path));
  }

  // Attributes.

  /** Decided by the mode as servers decide; they check again when something is done. */
  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    FileStat stat = client(path).stat(text(path));
    Identity who = client(path).options().identity();
    for (AccessMode mode : modes) {
      int bit =
          switch (mode) {
            case READ -> READ_BIT;
            case WRITE -> WRITE_BIT;
            case EXECUTE -> EXECUTE_BIT;
          };
      if (!isAllowed(stat, who, bit)) {
        throw new AccessDeniedException(path.toString(), null, mode + " is not allowed");
      }
    }
  }

  private static boolean isAllowed(FileStat stat, Identity who, int bit) {
    if (who.user() == Identity.ROOT) {
      boolean executable = (stat.mode() & 0111) != 0 || stat.isDirectory();
      return bit != EXECUTE_BIT || executable;
    }
    int shift = 0;
    if (who.user() == stat.user()) shift = 6;
    else if (who.groups().contains(stat.group())) shift = 3;
    return ((stat.mode() >> shift) & bit) != 0;
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Forebay client = client(path);
    if (type == UserDefinedFileAttributeView.class) {
      return type.cast(new ExtraView(client, text(path)));
    }
    String name = null;
    if (type == BasicFileAttributeView.class) name = "basic";
    if (type == PosixFileAttributeView.class) name = "posix";
    if (type == FileOwnerAttributeView.class) name = "owner";
    if (name == null) return null;
    return type.cast(new PosixView(client, text(path), follows(options), name));
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class && type != PosixFileAttributes.class) {
      throw new UnsupportedOperationException("attributes of type " + type.getName());
    }
    return type.cast(new StatAttributes(client(path).stat(text(path), follows(options))));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    return new NamedAttributes(client(path), text(path), follows(options)).read(attributes);
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options)
      throws IOException {
    new NamedAttributes(client(path), text(path), follows(options)).write(attribute, value);
  }

  static boolean follows(LinkOption... options) {
    return !Arrays.asList(options).contains(LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The client behind a path, which has more to offer than file systems do.
   *
   * @throws java.nio.file.ProviderMismatchException if it is a path of another file system
   */
  public static Forebay clientOf(Path path) {
    return client(path);
  }

  static Forebay client(Path path) {
    ForebayFileSystem fileSystem = ForebayPath.of(path).getFileSystem();
    if (!fileSystem.isOpen()) throw new ClosedFileSystemException();
    return fileSystem.client();
  }

  static String text(Path path) {
    return ForebayPath.of(path).text();
  }
}
