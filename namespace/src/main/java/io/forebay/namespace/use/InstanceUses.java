// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.use;

import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.tree.snapshot.Chunks;
import io.forebay.namespace.tree.snapshot.ItemKind;
import io.forebay.ring.ended.EndedInstances;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How much of each instance's data has gone through a group, as its journal counted it. */
public final class InstanceUses {
  private final TreeMap<Integer, InstanceUse> uses = new TreeMap<>();

  /** The counts of an instance, or null if nothing was counted. */
  public @Nullable InstanceUse of(int instance) {
    return uses.get(instance);
  }

  /** All counts, by instance. */
  public NavigableMap<Integer, InstanceUse> all() {
    return Collections.unmodifiableNavigableMap(uses);
  }

  /** Adds to the counts of an instance. */
  public void add(int instance, Counted counted) {
    uses.computeIfAbsent(instance, key -> new InstanceUse()).add(counted);
  }

  /** Instances have ended. */
  public void drop(EndedInstances ended) {
    uses.keySet().removeIf(ended::contains);
  }

  /** A snapshot has all counts: the entries before it are trimmed (P30). */
  @Rule("P30")
  public void write(Chunks out) {
    uses.forEach(
        (instance, use) -> {
          FieldWriter item = out.item(ItemKind.USE);
          item.putInt(instance);
          item.putLong(use.writtenBytes());
          item.putLong(use.readBytes());
          item.putLong(use.ssdBytes());
          item.putLong(use.windowBytesMax());
          out.end();
          use.window().buckets().forEach((bucket, bytes) -> writeBucket(out, use, bucket, bytes));
        });
  }

  private static void writeBucket(Chunks out, InstanceUse use, long bucket, long bytes) {
    FieldWriter item = out.item(ItemKind.USE_BUCKET);
    item.putLong(use.window().bucketMillis());
    item.putLong(bucket);
    item.putLong(bytes);
    out.end();
  }

  public void restore(FieldReader in) throws MalformedFields {
    InstanceUse use = new InstanceUse();
    uses.put(in.getInt(), use);
    use.restore(in.getLong(), in.getLong(), in.getLong(), in.getLong());
  }

  /** Restores a bucket of the instance that came last. */
  public void restoreBucket(FieldReader in) throws MalformedFields {
    if (uses.isEmpty()) throw new MalformedFields("a bucket before any instance");
    uses.lastEntry().getValue().window().restore(in.getLong(), in.getLong(), in.getLong());
  }
}
