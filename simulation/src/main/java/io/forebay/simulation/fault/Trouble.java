// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import java.util.Locale;
import java.util.Set;

/** Faults of a cluster besides dying processes; a scenario has some of these. */
public enum Trouble {
  /** Processes die just after they have sent a message of a certain kind. */
  MOMENTS,
  /** Processes pause for a moment. */
  PAUSES,
  /** Clients pause until their sessions end. */
  STOPPED_CLIENTS,
  /** Wall clocks jump, and monotonic clocks stand still for a moment. */
  CLOCKS,
  /** Payloads are damaged in transit. */
  DAMAGED_PAYLOADS,
  /** A disk fails reads. */
  READ_ERRORS,
  /** A disk has no space for further files for a while. */
  FULL_DISKS,
  /** A disk fails writes, until its seat is restarted. */
  WRITE_ERRORS,
  /** Bits of records flip at rest, while another seat has a sound copy. */
  BIT_FLIPS;

  /** The troubles after which a seat may lack data. */
  public static final Set<Trouble> OF_DISKS = Set.of(READ_ERRORS, WRITE_ERRORS, BIT_FLIPS);

  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
