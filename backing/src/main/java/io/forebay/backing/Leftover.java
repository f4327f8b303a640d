// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * What an attempt left in a store: a temporary file or an unfinished upload. Nobody may still be at
 * work on it when it is removed.
 *
 * @param place the directory, or the name that was to be stored, depending on the store
 * @param id the attempt's, or empty if the store does not tell
 * @param modifyNanos when it was begun or last written, since the beginning of 1970
 */
public record Leftover(BackingPath place, String id, String handle, long modifyNanos) {}
