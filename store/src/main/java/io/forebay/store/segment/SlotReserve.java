// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.Stream;
import io.forebay.store.tier.DyingMemory;
import io.forebay.store.tier.RoomLeft;
import io.forebay.store.tier.Slot;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import org.jspecify.annotations.Nullable;

/**
 * Hands out slots for new segments and keeps the reserves: ingest leaves room for the journal and
 * for relocation, the journal leaves room for relocation, so that a full store can always write the
 * marks that empty it and always move records. Ingest leaves one more than the two need: recovery
 * seals their half-filled segments after a crash, and merging them needs room.
 */
public final class SlotReserve {
  private static final int INGEST_LEAVES = 3;
  private static final int JOURNAL_LEAVES = 1;
  private static final int RELOCATION_LEAVES = 0;

  private final StoreConfig config;
  private final Segments segments;
  private final DyingMemory dying;
  public final SlotPool memory;
  public final @Nullable SlotPool ssd;

  public SlotReserve(
      StoreConfig config,
      Segments segments,
      DyingMemory dying,
      SlotPool memory,
      @Nullable SlotPool ssd) {
    this.config = config;
    this.segments = segments;
    this.dying = dying;
    this.memory = memory;
    this.ssd = ssd;
  }

  public static int leaves(Stream stream) {
    return switch (stream) {
      case INGEST -> INGEST_LEAVES;
      case JOURNAL -> JOURNAL_LEAVES;
      case RELOCATION -> RELOCATION_LEAVES;
    };
  }

  /** How many segments in memory ingest can have when the other streams have theirs. */
  public int ingestSlots() {
    return forIngest(config.memorySlots());
  }

  /** How many of a tier's slots ingest can have when the other streams have theirs. */
  public static int forIngest(int slots) {
    return slots - INGEST_LEAVES - (Stream.values().length - 1);
  }

  /** What ingest can have now. Images that stand in a file too need not be kept. */
  public RoomLeft left() {
    int images = memory.unused();
    for (Segment segment : segments.all()) {
      if (segment.imageDroppable()) images++;
    }
    int memoryMax = ingestSlots();
    int ssdMax = ssd == null ? 0 : forIngest(config.ssdSlots());
    int files = ssd == null ? 0 : ssd.unused() - INGEST_LEAVES;
    return new RoomLeft(
        within(images - INGEST_LEAVES, memoryMax), memoryMax, within(files, ssdMax), ssdMax);
  }

  private static int within(int slots, int max) {
    return Math.max(0, Math.min(slots, max));
  }

  /** A new segment of a stream, or null when there is no room for one. */
  @Nullable Segment open(Stream stream) {
    Slot file = null;
    if (needsFile(stream)) {
      file = ssdSlot(stream);
      if (file == null) {
        if (stream == Stream.RELOCATION) ssd().lend();
        return null;
      }
    }
    Slot image = memorySlot(stream);
    if (image == null) {
      if (stream == Stream.RELOCATION) memory.lend();
      if (file != null) ssd().give(file);
      return null;
    }
    if (!image.lasting() && file == null) {
      // Memory that dies with the process keeps nothing: where there is an SSD, its file does.
      if (config.hasSsd()) file = ssdSlot(stream);
      boolean usable = config.hasSsd() ? file != null : dying.mayKeepRecords();
      if (!usable) {
        memory.give(image);
        return null;
      }
    }
    return segments.create(stream, image, file);
  }

  /** A slot for the image of a segment that is to be written again, or null for now. */
  public @Nullable Slot imageSlot() {
    Slot image = memorySlot(Stream.RELOCATION);
    if (image == null) memory.lend();
    return image;
  }

  /** Whether the SSD tier has no slot for a move, nor will be given one beyond its budget. */
  public boolean exhausted() {
    return ssd != null && ssd.free() == 0 && !ssd.preparing();
  }

  /**
   * Whether a segment must have its file from the start. Journals and marks must: they are forced
   * before segments are freed, and at that time there may be no other slot.
   */
  private boolean needsFile(Stream stream) {
    return config.mode() == StoreConfig.Mode.SSD || (config.hasSsd() && stream != Stream.INGEST);
  }

  /** Gives files to recovered segments that must have one, out of the reserve they came from. */
  public void giveFilesOwed() {
    for (Segment segment : segments.all()) {
      if (segment.file == null && needsFile(segment.header.stream())) {
        segment.file = ssd().take(RELOCATION_LEAVES);
      }
    }
  }

  /** Makes sure that the segment has a file, and says whether it has. */
  public boolean giveFile(Segment segment) {
    if (segment.file == null && config.hasSsd()) {
      segment.file = ssdSlot(segment.header.stream());
    }
    return segment.file != null;
  }

  /** Why a segment of that stream cannot be opened. */
  Reserve.Reason shortage(Stream stream) {
    int leave = leaves(stream);
    boolean memoryShort = memory.free() <= leave;
    boolean ssdShort = ssd == null || ssd.free() <= leave;
    if (memoryShort && memory.preparing()) return Reserve.Reason.PREPARING;
    if (!config.hasSsd()) return Reserve.Reason.MEMORY_FULL;
    if (ssdShort && ssd().preparing()) return Reserve.Reason.PREPARING;
    if (!ssdShort) return Reserve.Reason.SPILLING;
    for (Segment segment : segments.all()) {
      if (segment.flushing && segment.image != null) return Reserve.Reason.SPILLING;
    }
    return Reserve.Reason.SSD_FULL;
  }

  /** Frees the image of a segment whose file holds all its bytes. */
  public void dropImage(Segment segment) {
    Slot image = segment.image;
    if (image == null || !segment.imageDroppable()) {
      throw new IllegalStateException("image of segment " + segment.number() + " must stay");
    }
    SegmentHeader.clear(image.bytes());
    segment.image = null;
    memory.give(image);
  }

  /**
   * Moves an image to memory that outlives the process, byte for byte, and says whether a slot was
   * free. Any reserve may be used: nothing is written afterwards.
   */
  public boolean moveToLasting(Segment segment) {
    Slot from = segment.image;
    Slot to = memory.takeLasting(0);
    if (from == null || to == null) return false;
    // The header is cleared last: a slot without one is no segment.
    int header = SegmentHeader.BYTES;
    to.bytes().put(header, from.bytes(), header, segment.tail - header);
    to.bytes().put(0, from.bytes(), 0, header);
    segment.image = to;
    return true;
  }

  public SlotPool ssd() {
    if (ssd == null) throw new IllegalStateException("no SSD tier");
    return ssd;
  }

  private @Nullable Slot memorySlot(Stream stream) {
    int leave = leaves(stream);
    Slot slot = memory.takeLasting(leave);
    for (Segment segment : segments.all()) {
      if (slot != null) break;
      if (!segment.imageDroppable() || segment.imageDies()) continue;
      dropImage(segment);
      slot = memory.takeLasting(leave);
    }
    if (slot == null) slot = memory.take(leave);
    for (Segment segment : segments.all()) {
      if (slot != null) break;
      if (!segment.imageDroppable()) continue;
      dropImage(segment);
      slot = memory.take(leave);
    }
    return slot;
  }

  private @Nullable Slot ssdSlot(Stream stream) {
    return ssd().take(leaves(stream));
  }
}
