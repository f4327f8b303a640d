// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.mount.fuse.library.LibFuse;
import io.forebay.mount.fuse.operation.DirectoryPage;
import io.forebay.mount.fuse.operation.NodeEntry;
import java.lang.foreign.MemorySegment;

/** One answer of readdir or readdirplus. Called by the answering thread. */
final class Page implements DirectoryPage {
  private final LibFuse library;
  private final long request;
  private final Scratch scratch;
  private final MemorySegment data;
  private final boolean withAttributes;
  private long filledBytes;

  Page(LibFuse library, long request, Scratch scratch, long bytes, boolean withAttributes) {
    this.library = library;
    this.request = request;
    this.scratch = scratch;
    this.data = scratch.data(bytes);
    this.withAttributes = withAttributes;
  }

  @Override
  public int roomBytes() {
    return (int) (data.byteSize() - filledBytes);
  }

  @Override
  public boolean withAttributes() {
    return withAttributes;
  }

  @Override
  public boolean add(String name, long node, int mode, long nextOffset) {
    MemorySegment room = data.asSlice(filledBytes);
    MemorySegment text = scratch.text(name);
    return added(
        withAttributes
            ? library.addDirentryPlus(
                request, room, text, scratch.bareEntry(node, mode), nextOffset)
            : library.addDirentry(request, room, text, scratch.bareStat(node, mode), nextOffset));
  }

  @Override
  public boolean add(String name, NodeEntry entry, long nextOffset) {
    if (!withAttributes) {
      return add(name, entry.attributes().node(), entry.attributes().mode(), nextOffset);
    }
    MemorySegment room = data.asSlice(filledBytes);
    return added(
        library.addDirentryPlus(
            request, room, scratch.text(name), scratch.entry(entry), nextOffset));
  }

  private boolean added(long bytes) {
    if (bytes > roomBytes()) return false;
    filledBytes += bytes;
    return true;
  }

  int reply() {
    return library.replyBuf(request, data, filledBytes);
  }
}
