// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.client.core.OpenFile;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.simulation.history.Stamp;
import io.forebay.simulation.world.ClientNode;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Puts whole files with a client, several at a time, and reads those of all users. */
final class FilePutter {
  private static final int NAMES = 48;
  private static final int AT_ONCE_MAX = 8;
  private static final int FILE_BYTES_MAX = 2 * ClientNode.pieceBytes();

  private final ClientNode node;
  private final PutFiles files;
  private final SimulatedUser.Values values;
  private final SplittableRandom random;

  FilePutter(
      ClientNode node, PutFiles files, SimulatedUser.Values values, SplittableRandom random) {
    this.node = node;
    this.files = files;
    this.values = values;
    this.random = random;
  }

  /** Puts files, or reads one; fails as the client failed. */
  CompletableFuture<Void> act() {
    if (random.nextInt(3) == 0) return read(name());
    List<CompletableFuture<Void>> puts = new ArrayList<>();
    for (int count = 1 + random.nextInt(AT_ONCE_MAX); count > 0; count--) puts.add(put(name()));
    return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new));
  }

  private String name() {
    return "put-" + random.nextInt(NAMES);
  }

  private CompletableFuture<Void> put(String name) {
    int cells = 1 + random.nextInt(FILE_BYTES_MAX / Stamp.CELL_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(cells * Stamp.CELL_BYTES);
    long value = values.next();
    Stamp.fill(bytes, value, 0);
    files.begun(name, value, bytes.capacity());
    return node.core()
        .beginFile(Identity.root())
        .thenCompose(upload -> upload.put(name, 0644, Names.NOW, upload.layout().cut(bytes, 0)))
        .handle(
            (done, failure) -> {
              if (failure == null) {
                files.acknowledged(value);
              } else if (RequestFailed.from(failure).code() == ErrorCode.EXISTS) {
                files.refused(value);
              } else {
                throw new CompletionException(RequestFailed.from(failure));
              }
              return null;
            });
  }

  /** Reads all that was acknowledged; fails if it cannot. */
  CompletableFuture<Void> readAll() {
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (String name : files.names()) all = all.thenCompose(before -> read(name));
    return all;
  }

  private CompletableFuture<Void> read(String name) {
    Long due = files.due(name);
    return node.core()
        .open(
            Identity.root(),
            root -> new Names.Open(root, name, true, false, false, false, false, 0))
        .thenCompose(file -> read(file, name, due))
        .exceptionallyCompose(failure -> none(failure, name, due));
  }

  private CompletableFuture<Void> none(Throwable failure, String name, @Nullable Long due) {
    if (RequestFailed.from(failure).code() != ErrorCode.NOT_FOUND) {
      return CompletableFuture.failedFuture(failure);
    }
    files.sawNothing(name, due);
    return CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> read(OpenFile file, String name, @Nullable Long due) {
    ByteBuffer target = ByteBuffer.allocate(FILE_BYTES_MAX + Stamp.CELL_BYTES);
    return file.read(0, target)
        .thenCompose(
            count -> {
              files.saw(name, Stamp.identify(target.slice(0, Math.max(0, count)), 0), due);
              return file.close();
            });
  }
}
