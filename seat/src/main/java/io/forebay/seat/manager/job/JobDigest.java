// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.job;

import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.RecordFields;
import io.forebay.seat.manager.state.Command;
import io.forebay.wire.message.Jobs;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Tells a repeated request for a job from another one. Stateless. */
final class JobDigest {
  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  /** What must be the same in both; times, creators and numbers of requests may differ. */
  public record Asked(
      int user,
      int group,
      List<String> uses,
      List<Jobs.Stage> stages,
      List<Command.CreateInstance> instance) {}

  private JobDigest() {}

  static long of(Jobs.BeginJob begin, List<Command.CreateInstance> instance) {
    List<Command.CreateInstance> unnumbered =
        instance.stream().map(create -> create.withOp(0)).toList();
    FieldWriter out = new FieldWriter();
    FIELDS.write(
        new Asked(begin.user(), begin.group(), begin.uses(), begin.stages(), unnumbered), out);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(out.written());
      return ByteBuffer.wrap(digest.digest()).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
