// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

/** Free bytes in the memory's directory and in the disk's. */
public record ServerSize(long memoryBytes, long diskBytes) {}
