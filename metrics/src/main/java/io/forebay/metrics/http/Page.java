// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics.http;

/** What a door answers at one path. */
public interface Page {
  /** A request that was admitted. */
  interface Request {
    /** The first value of a header; empty if there is none. */
    String header(String name);
  }

  /** An answer with the status 200. */
  final class Answer {
    private final String contentType;
    private final byte[] bytes;

    /** The bytes are not copied. */
    public Answer(String contentType, byte[] bytes) {
      this.contentType = contentType;
      this.bytes = bytes;
    }

    public String contentType() {
      return contentType;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /** On a virtual thread; several at a time. */
  Answer get(Request request);
}
