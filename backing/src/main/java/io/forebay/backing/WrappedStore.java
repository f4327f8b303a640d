// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import io.forebay.backing.Backing.Action;
import io.forebay.backing.Backing.Operation;
import java.nio.ByteBuffer;
import java.util.List;

/** A store in front of another one; it sees every call. Any thread, as the store behind it. */
public abstract class WrappedStore implements BackingStore {
  protected final BackingStore inner;

  protected WrappedStore(BackingStore inner) {
    this.inner = inner;
  }

  /**
   * Lets one call through.
   *
   * @param bytes how many bytes of a file it moves
   */
  protected abstract <T> T call(long bytes, Operation<T> operation) throws BackingException;

  @Override
  public String description() {
    return inner.description();
  }

  @Override
  public Capabilities capabilities() {
    return inner.capabilities();
  }

  @Override
  public void check() throws BackingException {
    run(BackingStore::check);
  }

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    return call(0, store -> store.begin(plan));
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    long bytes = 0;
    for (ByteBuffer buffer : source) bytes += buffer.remaining();
    call(
        bytes,
        store -> {
          store.write(attempt, offset, source);
          return true;
        });
  }

  @Override
  public void force(Attempt attempt) throws BackingException {
    run(store -> store.force(attempt));
  }

  @Override
  public void release(Attempt attempt) throws BackingException {
    run(store -> store.release(attempt));
  }

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) throws BackingException {
    return call(0, store -> store.commit(attempt, name));
  }

  @Override
  public Sighting look(Attempt attempt, BackingPath name) throws BackingException {
    return call(0, store -> store.look(attempt, name));
  }

  @Override
  public void abort(Attempt attempt) throws BackingException {
    run(store -> store.abort(attempt));
  }

  @Override
  public List<Leftover> leftovers(BackingPath directory) throws BackingException {
    return call(0, store -> store.leftovers(directory));
  }

  @Override
  public void remove(Leftover leftover) throws BackingException {
    run(store -> store.remove(leftover));
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    return call(0, store -> store.stat(path));
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    return call(target.remaining(), store -> store.read(path, version, offset, target));
  }

  @Override
  public int read(Attempt attempt, long offset, ByteBuffer target) throws BackingException {
    return call(target.remaining(), store -> store.read(attempt, offset, target));
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    Listing listing = call(0, store -> store.list(directory));
    return new Listing() {
      @Override
      public List<Entry> next(int entriesMax) throws BackingException {
        return call(0, store -> listing.next(entriesMax));
      }

      @Override
      public void close() {
        listing.close();
      }
    };
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) throws BackingException {
    run(store -> store.makeDirectory(path, attributes));
  }

  @Override
  public void removeDirectory(BackingPath path) throws BackingException {
    run(store -> store.removeDirectory(path));
  }

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    run(store -> store.delete(path, version));
  }

  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    run(store -> store.rename(from, to));
  }

  @Override
  public void makeSymlink(BackingPath path, String target) throws BackingException {
    run(store -> store.makeSymlink(path, target));
  }

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    return call(0, store -> store.readSymlink(path));
  }

  @Override
  public void close() {
    inner.close();
  }

  private void run(Action action) throws BackingException {
    call(
        0,
        store -> {
          action.on(store);
          return true;
        });
  }
}
