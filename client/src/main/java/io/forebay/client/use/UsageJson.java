// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.use;

import io.forebay.ring.protection.ProtectionPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The use of an instance for programs: our own names, and those of DataWarp. */
public final class UsageJson {
  private UsageJson() {}

  /**
   * The fields of an instance.
   *
   * @param staged null if it is not known
   */
  public static Map<String, @Nullable Object> of(
      InstanceUsage usage, @Nullable StagedBytes staged) {
    ProtectionPolicy policy = usage.policy();
    boolean window = !policy.window().isNone();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("instance", usage.instance().name());
    json.put("id", usage.instance().id());
    json.put("owner", usage.instance().owner());
    json.put("capacityBytes", usage.instance().capacityBytes());
    json.put("groupsMissing", usage.groupsMissing());
    json.put("writtenBytes", usage.writtenBytes());
    json.put("readBytes", usage.readBytes());
    json.put("ssdWrittenBytes", usage.ssdBytes());
    json.put("stagedInBytes", staged == null ? null : staged.inBytes());
    json.put("stagedOutBytes", staged == null ? null : staged.outBytes());
    json.put("heldBytes", usage.heldBytes());
    json.put("heldBytesMax", usage.heldBytesMax());
    json.put("filesCreated", usage.filesCreated());
    json.put("windowBytes", usage.windowBytes());
    json.put("windowBytesMax", usage.windowBytesMax());
    json.put("protection", policy.isNone() ? null : policy.toString());
    json.put("protectionState", usage.protectionWord());
    boolean over = usage.protection().writesOver();
    json.put("readOnlyUntil", over ? usage.protectedUntil().toString() : null);
    json.put("file_size_limit", policy.fileBytesMax());
    json.put("files_created", usage.filesCreated());
    json.put("files_create_threshold", policy.filesMax());
    json.put("bytes_written", usage.writtenBytes());
    json.put("bytes_read", usage.readBytes());
    json.put("write_moving_avg", usage.windowBytes());
    json.put("write_high_water", usage.windowBytesMax());
    json.put(
        "max_window_write", window ? policy.windowBytesMax(usage.instance().capacityBytes()) : 0L);
    json.put("stage_bytes_read", staged == null ? null : staged.outBytes());
    json.put("stage_bytes_written", staged == null ? null : staged.inBytes());
    return json;
  }
}
