// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * The leftover of an attempt in a store: a temporary file or an unfinished upload. When it is
 * removed, no process may still work on it.
 *
 * @param place the directory or the intended name, depending on the store
 * @param id the id of the attempt, or empty if the store does not know it
 * @param modifyNanos when it was begun or last written, since the beginning of 1970
 */
public record Leftover(BackingPath place, String id, String handle, long modifyNanos) {}
