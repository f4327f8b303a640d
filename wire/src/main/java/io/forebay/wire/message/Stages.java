// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.message;

/** Staging, which is done by servers outside of their seats. */
public interface Stages {

  /**
   * Asks the server of a seat to look for tasks in the notes of an instance. It learns nothing else
   * from the message, so any client may send it. Answered with Done.
   */
  record CallToStage(int instance) implements Message {}
}
