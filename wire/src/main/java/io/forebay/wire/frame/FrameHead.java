// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.frame;

/**
 * The header of a message, checked against every bound.
 *
 * @param code the message's number, which is known
 * @param payloadBytes the payload's length, or {@link Frames#NO_PAYLOAD}
 */
public record FrameHead(int code, int bodyBytes, int payloadBytes, long request, int bodyCrc) {
  public boolean hasPayload() {
    return payloadBytes != Frames.NO_PAYLOAD;
  }
}
