package io.forebay.mount.fuse;

/** A file that was made and opened. */
public record CreateReply(NodeEntry entry, OpenReply open) {}
