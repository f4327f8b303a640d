// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import io.forebay.client.Forebay;
import io.forebay.client.file.FileStat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;

/** The instance, seen by a client. */
public final class BufferSide implements Side {
  private static final int MADE_MODE = 0755;

  private final Forebay client;

  /** A side of an instance; the client's identity has the rights to the files. */
  public BufferSide(Forebay client) {
    this.client = client;
  }

  @Override
  public Found find(String path) throws IOException {
    List<String> names = names(path);
    String whole = whole(names);
    FileStat stat = client.stat(whole.isEmpty() ? "/" : whole);
    if (stat.isDirectory()) {
      return new Found.Directory(new BufferDirectory(client, whole), stat.mode());
    }
    String name = names.get(names.size() - 1);
    String above = whole(names.subList(0, names.size() - 1));
    Item item = new BufferDirectory(client, above).look(name);
    if (item == null) throw new NoSuchFileException(path);
    if (item.kind() == Item.Kind.SYMLINK) return find(target(above, client.readlink(whole)));
    return new Found.Other(new BufferDirectory(client, above), item);
  }

  /** The link leads to a file, which an earlier lookup has shown, so this ends. */
  private static String target(String directory, String link) {
    return link.startsWith("/") ? link : directory + "/" + link;
  }

  @Override
  public StageDirectory at(String path) throws IOException {
    return new BufferDirectory(client, whole(names(path)));
  }

  @Override
  public StageDirectory directory(String path, int mode) throws IOException {
    String at = "";
    boolean made = false;
    List<String> names = names(path);
    for (int i = 0; i < names.size(); i++) {
      at += "/" + names.get(i);
      made = make(at, i == names.size() - 1 ? mode : MADE_MODE);
    }
    return new BufferDirectory(client, at, made);
  }

  /** Whether it did not exist. */
  private boolean make(String path, int mode) throws IOException {
    try {
      if (!client.stat(path).isDirectory()) throw new NotDirectoryException(path);
      return false;
    } catch (NoSuchFileException missing) {
      client.mkdir(path, mode);
      return true;
    }
  }

  private static List<String> names(String path) throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".")) continue;
      if (name.equals("..")) {
        throw new StageRefused("'" + path + "' has '..' in it; write the path without");
      }
      names.add(name);
    }
    return names;
  }

  private static String whole(List<String> names) {
    return names.isEmpty() ? "" : "/" + String.join("/", names);
  }
}
