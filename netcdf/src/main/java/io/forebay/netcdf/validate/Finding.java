// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

/**
 * A defect of a file.
 *
 * @param offset its byte offset
 * @param sentence its description, beginning in lower case and without a full stop
 */
public record Finding(Severity severity, long offset, String sentence) {
  /** How bad it is. */
  public enum Severity {
    /** The format forbids it: programs may refuse the file or read something else. */
    ERROR,
    /** The format allows it, or all libraries accept it, but none of them writes it. */
    WARNING
  }
}
