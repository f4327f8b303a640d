// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** The size and free space of a file system. */
public record Space(
    long blockBytes, long blocks, long freeBlocks, long nodes, long freeNodes, int nameBytesMax) {}
