// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

/**
 * Something about a file that is not as it should be.
 *
 * @param offset the byte at which it is
 * @param sentence what it is, beginning in lower case and without a full stop
 */
public record Finding(Severity severity, long offset, String sentence) {
  /** How bad it is. */
  public enum Severity {
    /** The format forbids it: programs may refuse the file or read something else. */
    ERROR,
    /** The format allows it, or everybody reads over it, but it is not what libraries write. */
    WARNING
  }
}
