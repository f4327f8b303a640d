// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.job;

import io.forebay.wire.message.Jobs;

/**
 * A stage that a job's script asks for: into its instance before it runs, or out of it when it
 * ends.
 *
 * @param source a path on the source side, or of the list
 * @param destination a path on the other side; empty for a list
 */
public record JobStage(Direction direction, Kind kind, String source, String destination) {
  /** Which way. */
  public enum Direction {
    IN,
    OUT
  }

  /** What is copied. */
  public enum Kind {
    FILE,
    DIRECTORY,
    /** A file with sources and destinations. */
    LIST
  }

  public JobStage {
    if (source.isEmpty()) throw new IllegalArgumentException("a stage without a source");
    if (destination.isEmpty() != (kind == Kind.LIST)) {
      throw new IllegalArgumentException("a source and a destination, or only a list");
    }
  }

  /** The id of a job's stage: the same for each caller, so that a repeated request finds it. */
  public static String id(String token, int position) {
    return token + "." + position;
  }

  /** As in a message. */
  public Jobs.Stage onWire() {
    boolean in = direction == Direction.IN;
    Jobs.Kind of =
        switch (kind) {
          case FILE -> Jobs.Kind.FILE;
          case DIRECTORY -> Jobs.Kind.DIRECTORY;
          case LIST -> Jobs.Kind.LIST;
        };
    return new Jobs.Stage(in ? Jobs.Direction.IN : Jobs.Direction.OUT, of, source, destination);
  }

  static JobStage of(Jobs.Stage stage) {
    boolean in = stage.direction() == Jobs.Direction.IN;
    Kind kind =
        switch (stage.kind()) {
          case FILE -> Kind.FILE;
          case DIRECTORY -> Kind.DIRECTORY;
          case LIST -> Kind.LIST;
        };
    return new JobStage(
        in ? Direction.IN : Direction.OUT, kind, stage.source(), stage.destination());
  }
}
