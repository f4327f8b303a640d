// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An invalid request or an unusable file; names the error. */
public final class NetcdfException extends IOException {
  private static final long serialVersionUID = 1L;

  private final NetcdfError error;

  public NetcdfException(NetcdfError error, String message) {
    this(error, message, null);
  }

  public NetcdfException(NetcdfError error, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  public NetcdfError error() {
    return error;
  }
}
