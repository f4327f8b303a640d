// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;

/** What a store tells its owner without being asked. Called on the owner's thread. */
public interface StoreEvents {
  /** A segment's file failed; its records are being moved, those not forced are not safe on it. */
  void segmentSuspect(long segment, String detail);

  /** A record's bytes no longer match their checksums; a copy from elsewhere may replace it. */
  void recordDamaged(RecordId record, FileId file, long segment);

  /** Something costs room or safety that somebody should know of, in one sentence. */
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
