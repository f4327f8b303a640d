// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.stage;

import io.forebay.base.StageKeys;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.client.Pairs;
import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which stage a path belongs to, for programs that ask by path and not by id. Kept in pairs of the
 * instance, beside the {@link StageBoard}: every client finds it. Also the concurrency of stages
 * that programs start later. Any thread.
 */
public final class StagedPaths {
  private static final String PREFIX = StageKeys.RESERVED + "staged-path/";
  private static final String CONCURRENCY = StageKeys.RESERVED + "stage-concurrency";

  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  private final Pairs pairs;
  private final String prefix;

  /**
   * Of a tree.
   *
   * @param node the client node of the tree, with private access; empty otherwise
   */
  StagedPaths(Pairs pairs, String node) {
    this.pairs = pairs;
    this.prefix = PREFIX + URLEncoder.encode(node, StandardCharsets.UTF_8);
  }

  /** Records the newest stage of a path. */
  public void put(StagedPath entry) throws IOException {
    FieldWriter out = new FieldWriter();
    FIELDS.write(entry, out);
    pairs.put(prefix + entry.path(), out.written());
  }

  /** The newest stage that was requested for exactly this path, or null. */
  public @Nullable StagedPath get(String path) throws IOException {
    return read(prefix + path);
  }

  /** Those of a directory and of everything below it. */
  public List<StagedPath> within(String directory) throws IOException {
    List<StagedPath> found = new ArrayList<>();
    boolean root = directory.equals("/");
    StagedPath own = root ? null : get(directory);
    if (own != null) found.add(own);
    String below = prefix + (root ? "" : directory) + "/";
    for (Iterator<Pairs.Entry> each = pairs.list(below); each.hasNext(); ) {
      StagedPath entry = read(each.next().key());
      if (entry != null) found.add(entry);
    }
    return found;
  }

  public void remove(String path) throws IOException {
    pairs.delete(prefix + path);
  }

  /** How many copies each server makes at a time for a stage that is started now. */
  public int concurrency() throws IOException {
    byte[] value = pairs.get(CONCURRENCY);
    if (value == null || value.length != 1) return StageRequest.CONCURRENCY_DEFAULT;
    return Math.max(1, Math.min(value[0], StageRequest.CONCURRENCY_MAX));
  }

  /** Sets it; numbers above what is possible are lowered. */
  public void concurrency(int copies) throws IOException {
    pairs.put(CONCURRENCY, new byte[] {(byte) Math.min(copies, StageRequest.CONCURRENCY_MAX)});
  }

  private @Nullable StagedPath read(String key) throws IOException {
    byte[] value = pairs.get(key);
    if (value == null) return null;
    try {
      ByteBuffer bytes = ByteBuffer.wrap(value);
      if (bytes.remaining() < Integer.BYTES || bytes.getInt(0) != StagedPath.VERSION) {
        throw broken(key, null);
      }
      return FIELDS.read(StagedPath.class, new FieldReader(bytes));
    } catch (MalformedFields | IllegalArgumentException e) {
      throw broken(key, e);
    }
  }

  private static ForebayException broken(String key, @Nullable Throwable cause) {
    ForebayException broken =
        new ForebayException(
            ErrorCode.FAILED,
            "what is recorded of a staged path cannot be read; remove it with 'forebay del %s'"
                .formatted(key));
    if (cause != null) broken.initCause(cause);
    return broken;
  }
}
