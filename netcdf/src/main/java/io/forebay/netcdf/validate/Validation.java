// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.validate;

import io.forebay.netcdf.format.ByteSource;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.validate.Finding.Severity;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a validation.
 *
 * @param format its version; null if it is not netCDF
 * @param headerBytes the length of the header; 0 if its end was not found
 * @param fileBytes the length of the file
 * @param expectedBytes its minimum length; 0 if unknown
 * @param findings all defects, in the order of offsets
 */
public record Validation(
    @Nullable Format format,
    long headerBytes,
    long fileBytes,
    long expectedBytes,
    List<Finding> findings) {
  public Validation {
    findings = List.copyOf(findings);
  }

  /** Reads a file's header and checks all of it. */
  public static Validation of(ByteSource source) throws IOException {
    Findings findings = new Findings();
    HeaderBytes bytes = new HeaderBytes(source, findings);
    HeaderScan scan = new HeaderScan(bytes, findings);
    long headerBytes = 0;
    long expectedBytes = 0;
    try {
      scan.run();
      headerBytes = bytes.position();
      expectedBytes = new PlaceCheck(scan, headerBytes, source.size(), findings).run();
    } catch (HeaderBytes.Unreadable e) {
      findings.error(e.offset(), e.sentence());
    }
    return new Validation(
        scan.format(), headerBytes, source.size(), expectedBytes, findings.inOrder());
  }

  public boolean isValid() {
    return findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
  }
}
