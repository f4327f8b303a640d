// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** How large and how full a file system is. */
public record Space(
    long blockBytes, long blocks, long freeBlocks, long nodes, long freeNodes, int nameBytesMax) {}
