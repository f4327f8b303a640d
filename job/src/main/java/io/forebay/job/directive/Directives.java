// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.directive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job script asks for.
 *
 * @param jobBuffer the job's own buffer; null if it asks for none
 * @param uses the persistent buffers that the job uses
 * @param stageIns what is staged in before the job, in the script's order
 * @param stageOuts what is staged out after the job, in the script's order
 * @param creations the persistent buffers that the job creates
 * @param removals the persistent buffers that the job destroys
 */
public record Directives(
    @Nullable JobBuffer jobBuffer,
    List<PersistentUse> uses,
    List<Stage> stageIns,
    List<Stage> stageOuts,
    List<PersistentCreation> creations,
    List<PersistentRemoval> removals) {
  public Directives {
    uses = List.copyOf(uses);
    stageIns = List.copyOf(stageIns);
    stageOuts = List.copyOf(stageOuts);
    creations = List.copyOf(creations);
    removals = List.copyOf(removals);
  }

  /** Whether the script asks for nothing. */
  public boolean isEmpty() {
    return jobBuffer == null
        && uses.isEmpty()
        && stageIns.isEmpty()
        && stageOuts.isEmpty()
        && creations.isEmpty()
        && removals.isEmpty();
  }

  /** The word behind {@code #} of a directive. */
  public enum Origin {
    /** {@code #DW}: Forebay does what the line says. */
    DW,
    /** {@code #BB}: Slurm's DataWarp plugin reads the line, and calls Forebay for it. */
    BB
  }

  /** How a buffer's content comes to be. */
  public enum BufferType {
    /** Empty at the start. */
    SCRATCH,
    /** Over a directory of the file system behind the buffer. */
    CACHE
  }

  /**
   * {@code jobdw}: a buffer for one job.
   *
   * @param capacityBytes as it was asked for; a pool rounds it up to its granularity
   * @param pool null for the batch system's default
   * @param pfs the directory under a cache; null for scratch
   */
  public record JobBuffer(
      int line,
      long capacityBytes,
      List<AccessMode> access,
      BufferType type,
      @Nullable String pool,
      @Nullable String pfs) {
    public JobBuffer {
      access = List.copyOf(access);
    }

    /** Whether nodes reach it in this way. */
    public boolean has(AccessMode.Kind kind) {
      return access.stream().anyMatch(mode -> mode.kind() == kind);
    }
  }

  /** {@code persistentdw}: the job uses a persistent buffer. */
  public record PersistentUse(int line, String name) {}

  /** {@code create_persistent}. Its fields are as those of {@link JobBuffer}. */
  public record PersistentCreation(
      int line,
      Origin origin,
      String name,
      long capacityBytes,
      List<AccessMode> access,
      @Nullable String pool) {
    public PersistentCreation {
      access = List.copyOf(access);
    }
  }

  /**
   * {@code destroy_persistent}.
   *
   * @param hurry without waiting for what has not been drained
   */
  public record PersistentRemoval(int line, Origin origin, String name, boolean hurry) {}

  /**
   * {@code stage_in} or {@code stage_out}: copies between a buffer and the file system behind it.
   *
   * @param pfs a whole path outside of buffers: of the file, the directory, or the list
   * @param buffer the path in a buffer; null for a list, whose lines name both
   */
  public record Stage(int line, StageKind kind, String pfs, @Nullable BufferPath buffer) {}

  /** What a stage copies. */
  public enum StageKind {
    FILE,
    DIRECTORY,
    /** The files that a list names. */
    LIST
  }
}
