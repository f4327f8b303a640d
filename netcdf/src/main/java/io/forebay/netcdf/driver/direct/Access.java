package io.forebay.netcdf.driver.direct;

/** What a file is used for. */
public enum Access {
  /** It is complete: what lies behind its end is missing. */
  READ,
  /** Others are writing it: what lies behind its end was not written yet. */
  READ_UNFINISHED,
  WRITE
}
