// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.ring.ended.EndedInstances;
import java.util.List;

/** The map as bytes, for the wire and for disks; any thread. */
public final class RingMapCodec {
  /** Everything in a map, in the order in which it is written. */
  public record Fields(
      int version,
      long cluster,
      long term,
      long epoch,
      List<SeatEntry> seats,
      List<Group> groups,
      List<Instance> instances,
      EndedInstances ended,
      List<Pool> pools) {}

  private static final int VERSION = 10;
  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  private RingMapCodec() {}

  public static Bytes write(RingMap map) {
    FieldWriter out = new FieldWriter();
    FIELDS.write(
        new Fields(
            VERSION,
            map.cluster(),
            map.term(),
            map.epoch(),
            map.seats(),
            map.groups(),
            map.instances(),
            map.ended(),
            map.pools()),
        out);
    return Bytes.copyOf(out.written());
  }

  public static RingMap read(Bytes bytes) throws MalformedFields {
    FieldReader in = new FieldReader(bytes.asBuffer());
    Fields fields = FIELDS.read(Fields.class, in);
    if (fields.version() != VERSION) {
      throw new MalformedFields("a map of version " + fields.version() + ", not " + VERSION);
    }
    if (in.remaining() > 0) throw new MalformedFields(in.remaining() + " bytes too many in a map");
    try {
      return new RingMap(
          fields.cluster(),
          fields.term(),
          fields.epoch(),
          fields.seats(),
          fields.groups(),
          fields.instances(),
          fields.ended(),
          fields.pools());
    } catch (IllegalArgumentException e) {
      throw new MalformedFields("a map that cannot be: " + e.getMessage(), e);
    }
  }
}
