// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import io.forebay.client.file.Usage;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An instance as a file store. Without a capacity it reports the largest possible size. */
final class InstanceStore extends FileStore {
  private static final Set<Class<?>> VIEWS =
      Set.of(
          BasicFileAttributeView.class,
          FileOwnerAttributeView.class,
          PosixFileAttributeView.class,
          UserDefinedFileAttributeView.class);

  private final Forebay client;

  InstanceStore(Forebay client) {
    this.client = client;
  }

  @Override
  public String name() {
    return client.uri().instance();
  }

  @Override
  public String type() {
    return "forebay";
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public long getTotalSpace() throws IOException {
    long capacity = client.usage().capacityBytes();
    return capacity == 0 ? Long.MAX_VALUE : capacity;
  }

  @Override
  public long getUsableSpace() throws IOException {
    return free(client.usage(), true);
  }

  @Override
  public long getUnallocatedSpace() throws IOException {
    return free(client.usage(), false);
  }

  private static long free(Usage usage, boolean promisedIsTaken) {
    long capacity = usage.capacityBytes() == 0 ? Long.MAX_VALUE : usage.capacityBytes();
    long taken = usage.usedBytes() + (promisedIsTaken ? usage.promisedBytes() : 0);
    return Math.max(0, capacity - taken);
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return VIEWS.contains(type);
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return ForebayFileSystem.VIEWS.contains(name);
  }

  @Override
  public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
    return null;
  }

  @Override
  public Object getAttribute(String attribute) throws IOException {
    return switch (attribute) {
      case "totalSpace" -> getTotalSpace();
      case "usableSpace" -> getUsableSpace();
      case "unallocatedSpace" -> getUnallocatedSpace();
      default -> throw new UnsupportedOperationException("'" + attribute + "' is not known");
    };
  }
}
