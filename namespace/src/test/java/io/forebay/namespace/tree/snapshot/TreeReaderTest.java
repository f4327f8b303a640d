// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.GroupId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Items that no tree has are malformed: another seat may send anything. */
class TreeReaderTest {
  private static final GroupId HOME = new GroupId(3);
  private static final int FILE = 7;
  private static final int RECORD_BYTES = 10;

  private TreeReader reader;

  @BeforeEach
  void readAFileOfOneRecord() throws MalformedFields {
    reader =
        TreeReader.begin(
            HOME,
            fields(
                tree -> {
                  tree.putInt(1);
                  tree.putInt(0);
                  tree.putByte(0);
                  tree.putLong(1_000);
                  tree.putLong(8);
                  tree.putLong(0);
                }));
    item(
        ItemKind.FILE,
        file -> {
          file.putLong(FILE);
          file.putByte(0);
          file.putInt(1);
          file.putLong(1);
          for (int i = 0; i < 3; i++) file.putInt(0);
          for (int i = 0; i < 3; i++) file.putLong(0);
        });
    item(ItemKind.CONTENT, content -> content.putLong(FILE));
    item(
        ItemKind.EXTENT,
        extent -> {
          extent.putLong(0);
          extent.putInt(RECORD_BYTES);
          extent.putLong(1);
          extent.putLong(1);
          extent.putInt(0);
          extent.putInt(RECORD_BYTES);
          extent.putLong(1);
          extent.putInt(HOME.number());
        });
  }

  /** A smaller size would kill records, and a seat that reads a snapshot kills none. */
  @Test
  void aSizeBelowTheContentIsRefused() {
    assertThatThrownBy(() -> size(RECORD_BYTES - 1)).isInstanceOf(MalformedFields.class);
    assertThatThrownBy(() -> size(0)).isInstanceOf(MalformedFields.class);
    assertThatThrownBy(() -> size(-1)).isInstanceOf(MalformedFields.class);
    assertThatCode(() -> size(RECORD_BYTES + 1)).doesNotThrowAnyException();
  }

  /** The room of both would be granted. */
  @Test
  void aTreeHasOneGrant() throws MalformedFields {
    grant(1);
    grant(2);
    assertThatThrownBy(() -> grant(1)).isInstanceOf(MalformedFields.class);
  }

  private void grant(int tree) throws MalformedFields {
    item(
        ItemKind.TREE_GRANT,
        grant -> {
          grant.putInt(tree);
          grant.putLong(100);
        });
  }

  private void size(long bytes) throws MalformedFields {
    item(ItemKind.CONTENT_SIZE, size -> size.putLong(bytes));
  }

  private void item(ItemKind kind, Consumer<FieldWriter> content) throws MalformedFields {
    reader.item(kind, fields(content));
  }

  private static FieldReader fields(Consumer<FieldWriter> content) {
    FieldWriter fields = new FieldWriter();
    content.accept(fields);
    return new FieldReader(fields.written());
  }
}
