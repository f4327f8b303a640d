// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

/**
 * How much room a store has for new records, in segments: those that could be opened now, and those
 * that there are when it is empty. Of the SSD both are 0 where there is none.
 */
public record RoomLeft(int memory, int memoryMax, int ssd, int ssdMax) {}
