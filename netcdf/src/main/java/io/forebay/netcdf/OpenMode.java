package io.forebay.netcdf;

/** What an existing file is opened for. */
public enum OpenMode {
  READ,
  WRITE
}
