// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

/**
 * The answer to a drain request: how many files are being drained; files that are durable already
 * do not count.
 */
public record DrainStarted(long files, long bytes) {}
