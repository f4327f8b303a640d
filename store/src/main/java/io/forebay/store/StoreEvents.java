// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;

/** Unsolicited reports of a store to its owner. Called on the owner's thread. */
public interface StoreEvents {
  /** A segment's file failed; its records are being moved, those not forced are not safe on it. */
  void segmentSuspect(long segment, String detail);

  /** A record's bytes no longer match their checksums; a copy from elsewhere may replace it. */
  void recordDamaged(RecordId record, FileId file, long segment);

  /** A condition that costs room or safety, as one sentence for the operator. */
  void warned(String sentence);

  /** For owners that look at {@link Store#stats} instead. */
  StoreEvents NONE =
      new StoreEvents() {
        @Override
        public void segmentSuspect(long segment, String detail) {}

        @Override
        public void recordDamaged(RecordId record, FileId file, long segment) {}

        @Override
        public void warned(String sentence) {}
      };
}
