// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import io.forebay.base.FileId;
import io.forebay.store.files.StoreWorld.Change;
import io.forebay.store.files.StoreWorld.Written;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What one file must hold: its bytes, and for each the record that supplies it, null in holes. */
final class FileModel {
  byte[] bytes = new byte[0];
  Written[] source = new Written[0];

  /** All files after these changes, applied in order. */
  static Map<FileId, FileModel> of(List<Change> changes) {
    Map<FileId, FileModel> files = new TreeMap<>();
    for (Change change : changes) {
      switch (change.kind()) {
        case DELETE -> files.remove(change.file());
        case TRUNCATE -> file(files, change.file()).resize((int) change.at());
        case PUBLISH -> file(files, change.file()).show((int) change.at(), change.records());
      }
    }
    return files;
  }

  boolean shows(Written record) {
    return Arrays.asList(source).contains(record);
  }

  private static FileModel file(Map<FileId, FileModel> files, FileId id) {
    return files.computeIfAbsent(id, f -> new FileModel());
  }

  private void resize(int size) {
    bytes = Arrays.copyOf(bytes, size);
    source = Arrays.copyOf(source, size);
  }

  private void show(int offset, List<Written> records) {
    int at = offset;
    for (Written record : records) {
      int end = at + record.payload.length;
      if (end > bytes.length) resize(end);
      System.arraycopy(record.payload, 0, bytes, at, record.payload.length);
      Arrays.fill(source, at, end, record);
      at = end;
    }
  }
}
