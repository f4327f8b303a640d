// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** A file that was made and opened. */
public record CreateReply(NodeEntry entry, OpenReply open) {}
