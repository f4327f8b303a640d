// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayUri;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** One instance as a file system. Closing it closes the client behind it. */
final class ForebayFileSystem extends FileSystem {
  static final Set<String> VIEWS = Set.of("basic", "owner", "posix", "unix", "user");

  /** As many as Linux follows. */
  private static final int LINKS_MAX = 40;

  private final ForebayFileSystemProvider provider;
  private final ForebayFileSystemProvider.Key key;
  private final Forebay client;
  private volatile boolean open = true;

  ForebayFileSystem(
      ForebayFileSystemProvider provider, ForebayFileSystemProvider.Key key, Forebay client) {
    this.provider = provider;
    this.key = key;
    this.client = client;
  }

  Forebay client() {
    return client;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() throws IOException {
    if (!open) return;
    open = false;
    provider.forget(key);
    client.close();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(ForebayPath.parse(this, "/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of(new InstanceStore(client));
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return VIEWS;
  }

  @Override
  public Path getPath(String first, String... more) {
    if (more.length == 0) return ForebayPath.parse(this, first);
    List<String> parts = new ArrayList<>();
    if (!first.isEmpty()) parts.add(first);
    for (String part : more) {
      if (!part.isEmpty()) parts.add(part);
    }
    return ForebayPath.parse(this, String.join("/", parts));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    int colon = syntaxAndPattern.indexOf(':');
    if (colon <= 0) throw new IllegalArgumentException("'" + syntaxAndPattern + "' has no syntax");
    String syntax = syntaxAndPattern.substring(0, colon);
    String text = syntaxAndPattern.substring(colon + 1);
    Pattern pattern;
    if (syntax.equalsIgnoreCase("glob")) {
      pattern = GlobPattern.compile(text);
    } else if (syntax.equalsIgnoreCase("regex")) {
      pattern = Pattern.compile(text);
    } else {
      throw new UnsupportedOperationException("patterns of syntax '" + syntax + "'");
    }
    return path -> pattern.matcher(path.toString()).matches();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return NumberPrincipal.LOOKUP;
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("an instance cannot be watched");
  }

  URI uriOf(String absolutePath) {
    ForebayUri at = client.uri();
    try {
      return new URI(
          ForebayUri.SCHEME, at.authority(), "/" + at.instance() + absolutePath, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no URI for " + absolutePath, e);
    }
  }

  /** The path without links and dots, which must exist. */
  Path realPath(ForebayPath path, boolean follow) throws IOException {
    ArrayDeque<String> left = new ArrayDeque<>(namesOf(path.text()));
    List<String> real = new ArrayList<>();
    int links = 0;
    while (!left.isEmpty()) {
      String name = left.remove();
      if (name.equals(".")) continue;
      if (name.equals("..")) {
        if (!real.isEmpty()) real.remove(real.size() - 1);
        continue;
      }
      real.add(name);
      String here = "/" + String.join("/", real);
      if (!follow || client.stat(here, false).kind() != FileStat.Kind.SYMLINK) continue;
      if (++links > LINKS_MAX) throw new FileSystemLoopException(path.toString());
      String target = client.readlink(here);
      real.remove(real.size() - 1);
      if (target.startsWith("/")) real.clear();
      List<String> targetNames = namesOf(target);
      for (int i = targetNames.size() - 1; i >= 0; i--) left.addFirst(targetNames.get(i));
    }
    String text = "/" + String.join("/", real);
    client.stat(text, false);
    return ForebayPath.parse(this, text);
  }

  private static List<String> namesOf(String path) {
    return Arrays.stream(path.split("/", -1)).filter(name -> !name.isEmpty()).toList();
  }
}
