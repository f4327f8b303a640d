package io.forebay.store.directory;

import io.forebay.store.disk.Disk;
import io.forebay.store.disk.MemoryDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last resort of a memory tier: memory that dies with the process. Before the first byte of it
 * is used, the log's identity must say so, since the next process could not tell that something is
 * missing; if that fails, there is no room here. Called by the log's owner only.
 */
final class AnonymousMemory implements Disk {
  /** Writes down that anonymous memory is in use. */
  interface Notice {
    void write() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(AnonymousMemory.class);

  private final Disk memory;
  private final Disk noRoom;
  private final Notice notice;
  private boolean noticed;

  AnonymousMemory(long capacityBytes, int pendingMax, Runnable wakeUp, Notice notice) {
    this.memory = MemoryDisk.direct(capacityBytes, pendingMax, wakeUp);
    this.noRoom = MemoryDisk.onHeap(0, pendingMax, wakeUp);
    this.notice = notice;
  }

  @Override
  public void create(String name, long bytes, Completion completion) {
    (noticed() ? memory : noRoom).create(name, bytes, completion);
  }

  private boolean noticed() {
    if (noticed) return true;
    try {
      notice.write();
      noticed = true;
    } catch (IOException failure) {
      LOG.warn("anonymous memory cannot be used, since the log cannot say so", failure);
    }
    return noticed;
  }

  @Override
  public void write(String name, long position, ByteBuffer source, Completion completion) {
    memory.write(name, position, source, completion);
  }

  @Override
  public void read(String name, long position, ByteBuffer target, Completion completion) {
    memory.read(name, position, target, completion);
  }

  @Override
  public void force(String name, Completion completion) {
    memory.force(name, completion);
  }

  @Override
  public void delete(String name, Completion completion) {
    memory.delete(name, completion);
  }

  @Override
  public void map(String name, Completion completion) {
    memory.map(name, completion);
  }

  @Override
  public ByteBuffer mapped(String name) {
    return memory.mapped(name);
  }

  @Override
  public int poll() {
    return noRoom.poll() + memory.poll();
  }

  @Override
  public int pending() {
    return noRoom.pending() + memory.pending();
  }

  @Override
  public void await(long timeoutNanos) throws InterruptedException {
    if (noRoom.pending() == 0) memory.await(timeoutNanos);
  }

  @Override
  public List<FileEntry> list() throws IOException {
    return memory.list();
  }

  @Override
  public void readNow(String name, long position, ByteBuffer target) throws IOException {
    memory.readNow(name, position, target);
  }

  @Override
  public void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException {
    memory.scan(name, from, to, chunkBytes, visitor);
  }

  @Override
  public void close() {
    noRoom.close();
    memory.close();
  }
}
