// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

/**
 * How much room a store has for new records, in segments: those that could be opened now, and the
 * total of an empty store. Without an SSD both of its numbers are 0.
 */
public record RoomLeft(int memory, int memoryMax, int ssd, int ssdMax) {}
