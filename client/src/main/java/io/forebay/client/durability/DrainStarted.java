// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.durability;

/** What somebody asked to be drained: so many files are on their way now; durable ones are not. */
public record DrainStarted(long files, long bytes) {}
