// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.fields;

/** Malformed bytes; names the record and the defect. */
public final class MalformedFields extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedFields(String message) {
    super(message);
  }

  public MalformedFields(String message, Throwable cause) {
    super(message, cause);
  }
}
