// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.wire.message.ErrorCode;
import java.util.List;

/** The result of a command. */
public sealed interface Result {
  /**
   * It has been done, or had been before.
   *
   * @param warnings what people should know about it, in sentences
   */
  record Done(List<String> warnings) implements Result {
    public static final Done QUIETLY = new Done(List.of());
  }

  /** The instance has that number. */
  record Made(int instance, List<String> warnings) implements Result {}

  /** Nothing was changed. */
  record Refused(ErrorCode code, String sentence) implements Result {}
}
