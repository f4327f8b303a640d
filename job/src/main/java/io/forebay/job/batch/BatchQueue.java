// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.batch;

import java.io.IOException;
import java.util.Set;

/** The jobs of a batch system, as it lists them itself. */
public interface BatchQueue {
  /** What jobs of this batch system have as their creator. */
  String creator();

  /**
   * The tokens of all jobs that may still need their buffers.
   *
   * @throws IOException with a sentence, if the list may lack a job
   */
  Set<String> live() throws IOException, InterruptedException;
}
