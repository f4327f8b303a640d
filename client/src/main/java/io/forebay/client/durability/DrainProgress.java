// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

/**
 * The progress of files that a caller waits for.
 *
 * @param filesDurable how many of the files the backing store has
 * @param storedBytes how many of their bytes it has or is receiving
 * @param bytesPerSecond how fast the instance is being drained now, other files included
 * @param trouble why draining is stopped, as a sentence; empty if it is not
 */
public record DrainProgress(
    long filesDurable,
    long files,
    long storedBytes,
    long bytes,
    long bytesPerSecond,
    String trouble) {}
