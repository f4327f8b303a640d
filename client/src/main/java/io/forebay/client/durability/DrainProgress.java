// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

/**
 * How far files have come that somebody waits for.
 *
 * @param filesDurable how many of the files the backing store has
 * @param storedBytes how many of their bytes it has, or is getting now
 * @param bytesPerSecond how fast the instance is being drained now, other files included
 * @param trouble why draining does not go on, as a sentence; empty if it does
 */
public record DrainProgress(
    long filesDurable,
    long files,
    long storedBytes,
    long bytes,
    long bytesPerSecond,
    String trouble) {}
