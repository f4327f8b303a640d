// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.store.mark.Marks;
import io.forebay.store.segment.Appender;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;

/** The parts of a log that its upkeep works on. */
public record LogParts(
    SlotReserve room, Segments segments, Appender appender, Flusher flusher, Marks marks) {}
