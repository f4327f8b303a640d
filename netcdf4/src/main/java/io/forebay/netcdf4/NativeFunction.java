// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf4;

/** The C functions called here. Those of HDF5 come from the library that libnetcdf is linked to. */
enum NativeFunction {
  STRERROR("nc_strerror"),
  SET_ALIGNMENT("nc_set_alignment"),
  CREATE("nc_create"),
  SET_FILL("nc_set_fill"),
  DEF_DIM("nc_def_dim"),
  DEF_VAR("nc_def_var"),
  DEF_VAR_CHUNKING("nc_def_var_chunking"),
  DEF_VAR_DEFLATE("nc_def_var_deflate"),
  PUT_ATT("nc_put_att"),
  ENDDEF("nc_enddef"),
  PUT_VARA("nc_put_vara"),
  SYNC("nc_sync"),
  CLOSE("nc_close"),
  ABORT("nc_abort"),

  DONT_CLEAN_UP_AT_EXIT("H5dont_atexit"),
  HDF5_VERSION("H5get_libversion"),
  SET_ERROR_PRINTING("H5Eset_auto2"),
  OPEN_FILE("H5Fopen"),
  CLOSE_FILE("H5Fclose"),
  OPEN_DATASET("H5Dopen2"),
  CLOSE_DATASET("H5Dclose"),
  DATASET_PROPERTIES("H5Dget_create_plist"),
  PROPERTIES_LAYOUT("H5Pget_layout"),
  CLOSE_PROPERTIES("H5Pclose"),
  DATASET_TYPE("H5Dget_type"),
  TYPE_ORDER("H5Tget_order"),
  TYPE_SIZE("H5Tget_size"),
  CLOSE_TYPE("H5Tclose"),
  DATASET_SPACE_STATUS("H5Dget_space_status"),
  DATASET_STORAGE_SIZE("H5Dget_storage_size"),
  DATASET_OFFSET("H5Dget_offset");

  private final String symbol;

  NativeFunction(String symbol) {
    this.symbol = symbol;
  }

  String symbol() {
    return symbol;
  }
}
