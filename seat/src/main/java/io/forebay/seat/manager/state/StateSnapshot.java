// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Jobs;
import java.util.List;

/** The whole {@link ManagerState}, as it is written down. */
public record StateSnapshot(
    int version,
    long cluster,
    long term,
    long epoch,
    List<Terms.End> ends,
    List<SeatEntry> seats,
    List<Group> groups,
    List<Instance> instances,
    EndedInstances ended,
    int nextInstance,
    List<RecentAnswers.Answer> answers,
    List<Jobs.Job> jobs,
    List<JobReach.Entry> reach,
    long granuleBytes,
    List<Pool> pools,
    List<AccessBook.Key> keys,
    CertificateBook.Content certificates) {
  static final int VERSION = 16;
  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  Bytes encode() {
    FieldWriter out = new FieldWriter();
    FIELDS.write(this, out);
    return Bytes.copyOf(out.written());
  }

  static StateSnapshot decode(Bytes bytes) throws MalformedFields {
    FieldReader in = new FieldReader(bytes.asBuffer());
    StateSnapshot snapshot = FIELDS.read(StateSnapshot.class, in);
    if (snapshot.version() != VERSION) {
      throw new MalformedFields("a state of version " + snapshot.version() + ", not " + VERSION);
    }
    if (in.remaining() > 0) {
      throw new MalformedFields(in.remaining() + " bytes too many in a state");
    }
    return snapshot;
  }
}
