// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.nio;

import io.forebay.client.Forebay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;

/** Extra attributes that users define: those whose names begin with {@code user.}. */
final class ExtraView implements UserDefinedFileAttributeView {
  private static final String PREFIX = "user.";

  private final Forebay client;
  private final String path;

  ExtraView(Forebay client, String path) {
    this.client = client;
    this.path = path;
  }

  @Override
  public String name() {
    return "user";
  }

  @Override
  public List<String> list() throws IOException {
    return client.listExtras(path).stream()
        .filter(name -> name.startsWith(PREFIX))
        .map(name -> name.substring(PREFIX.length()))
        .toList();
  }

  @Override
  public int size(String name) throws IOException {
    return get(name).length;
  }

  @Override
  public int read(String name, ByteBuffer target) throws IOException {
    byte[] value = get(name);
    if (value.length > target.remaining()) {
      throw new FileSystemException(path, null, "attribute '" + name + "' needs a larger buffer");
    }
    target.put(value);
    return value.length;
  }

  byte[] get(String name) throws IOException {
    return client.getExtra(path, PREFIX + name);
  }

  @Override
  public int write(String name, ByteBuffer value) throws IOException {
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    client.setExtra(path, PREFIX + name, bytes);
    return bytes.length;
  }

  @Override
  public void delete(String name) throws IOException {
    client.removeExtra(path, PREFIX + name);
  }
}
