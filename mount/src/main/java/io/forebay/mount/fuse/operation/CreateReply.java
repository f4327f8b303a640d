// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** A file that was created and opened. */
public record CreateReply(NodeEntry entry, OpenReply open) {}
