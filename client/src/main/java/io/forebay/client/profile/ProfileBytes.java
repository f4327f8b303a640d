// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A profile as bytes: magic, version, length and checksum of what follows, and the fields of the
 * record.
 */
public final class ProfileBytes {
  private static final int MAGIC = 0x46425052; // FBPR
  private static final int VERSION = 1;

  private static final int MAGIC_OFFSET = 0;
  private static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;
  private static final int LENGTH_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int CHECKSUM_OFFSET = LENGTH_OFFSET + Integer.BYTES;
  private static final int BODY_OFFSET = CHECKSUM_OFFSET + Integer.BYTES;

  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  /** Bytes that are no profile. */
  public static final class NoProfile extends Exception {
    private static final long serialVersionUID = 1;

    NoProfile(String why) {
      super(why);
    }
  }

  private ProfileBytes() {}

  public static ByteBuffer write(Profile profile) {
    FieldWriter out = new FieldWriter();
    FIELDS.write(profile, out);
    ByteBuffer body = out.written();
    ByteBuffer all = ByteBuffer.allocate(BODY_OFFSET + body.remaining());
    all.putInt(MAGIC_OFFSET, MAGIC);
    all.putInt(VERSION_OFFSET, VERSION);
    all.putInt(LENGTH_OFFSET, body.remaining());
    all.putInt(CHECKSUM_OFFSET, checksum(body));
    return all.put(BODY_OFFSET, body, body.position(), body.remaining());
  }

  public static Profile read(ByteBuffer all) throws NoProfile {
    if (all.remaining() < BODY_OFFSET || all.getInt(MAGIC_OFFSET) != MAGIC) {
      throw new NoProfile("it does not begin like a profile");
    }
    if (all.getInt(VERSION_OFFSET) != VERSION) {
      throw new NoProfile("it has version " + all.getInt(VERSION_OFFSET) + ", not " + VERSION);
    }
    if (all.getInt(LENGTH_OFFSET) != all.remaining() - BODY_OFFSET) {
      throw new NoProfile("it was cut off");
    }
    ByteBuffer body = all.slice(BODY_OFFSET, all.remaining() - BODY_OFFSET);
    if (all.getInt(CHECKSUM_OFFSET) != checksum(body)) throw new NoProfile("it is damaged");
    try {
      return FIELDS.read(Profile.class, new FieldReader(body));
    } catch (MalformedFields e) {
      NoProfile none = new NoProfile(String.valueOf(e.getMessage()));
      none.initCause(e);
      throw none;
    }
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }
}
