// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.base.FileId;
import io.forebay.simulation.history.Action;
import io.forebay.simulation.history.Ending;
import io.forebay.simulation.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All operations on one file: pieces, the changes that publish them, and reads. */
public final class FileHistory {
  public final FileId file;
  public final List<Batch> batches = new ArrayList<>();
  public final List<Truncation> truncations = new ArrayList<>();
  public final List<Operation> reads = new ArrayList<>();
  final List<Piece> pieces = new ArrayList<>();

  private final Map<Integer, Chain> chains = new TreeMap<>();

  /** For looking up only: its order is not used. */
  private final Map<Long, List<Piece>> piecesByValue = new HashMap<>();

  private int lineages;

  public FileHistory(FileId file) {
    this.file = file;
  }

  /** Operations come in the order in which they began. */
  public void add(Operation operation) {
    switch (operation.action()) {
      case Action.Write write -> chain(operation).write(operation, write);
      case Action.Publish publish -> chain(operation).publish(operation);
      case Action.Close close -> chain(operation).publish(operation);
      case Action.Truncate truncate -> chain(operation).publish(operation);
      case Action.Punch punch -> chain(operation).publish(operation);
      case Action.Read read -> {
        if (operation.ending() instanceof Ending.Saw) reads.add(operation);
      }
      default -> throw new IllegalStateException(operation + " is not about a file");
    }
  }

  public void sessionEnded(Operation end) {
    Chain chain = chains.get(end.client());
    if (chain != null) chain.sessionEnded(end);
  }

  private Chain chain(Operation operation) {
    return chains.computeIfAbsent(operation.client(), client -> new Chain(this));
  }

  int newLineage() {
    return lineages++;
  }

  Piece newPiece(Operation write, long value, long offset, long endOffset, Batch batch) {
    Piece piece = new Piece(write, value, offset, endOffset, pieces.size(), batch);
    pieces.add(piece);
    piecesByValue.computeIfAbsent(value, v -> new ArrayList<>()).add(piece);
    return piece;
  }

  /** The piece that put a value to an offset, or null if there is none. */
  public @Nullable Piece piece(long value, long offset) {
    for (Piece piece : piecesByValue.getOrDefault(value, List.of())) {
      if (piece.offset <= offset && offset < piece.endOffset) return piece;
    }
    return null;
  }
}
