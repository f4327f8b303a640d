// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.netcdf.driver.direct.DirectSettings;
import io.forebay.netcdf.driver.logging.LogSettings;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileNames;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Settings of one open file, as text: {@code key=value;key=value}. The keys of PnetCDF and ROMIO
 * are understood. Settings come from the program and from the environment. The environment wins, so
 * that a user can tune a program without changing it.
 */
public final class Hints {
  /** Forebay's environment variable; unknown keys in it are errors. */
  public static final String VARIABLE = "FOREBAY_HINTS";

  /** PnetCDF's variable; its keys for other libraries are ignored. */
  public static final String PNETCDF_VARIABLE = "PNETCDF_HINTS";

  private static final String AGGREGATORS = "cb_nodes";
  private static final String WINDOW = "cb_buffer_size";
  private static final String STRIPE = "striping_unit";
  private static final String HEADER_ALIGNMENT = "header_align_size";
  private static final String LOGGING = "burst_buffer";
  private static final String LOG_DIRECTORY = "burst_buffer_dir";
  private static final String LOG_SHARED = "burst_buffer_shared_logs";
  private static final String LOG_DELETE = "burst_buffer_delete_on_close";
  private static final String LOG_FLUSH_SIZE = "burst_buffer_flush_size";
  private static final String LOG_OVERWRITE = "burst_buffer_overwrite";
  private static final String LOG_FLUSH_BEFORE_READ = "burst_buffer_flush_before_read";
  private static final String LOG_SIZE_MAX = "burst_buffer_log_max";
  private static final String LOG_BACKGROUND = "burst_buffer_background_flush";
  private static final String LOG_HELD_SIZE = "burst_buffer_publish_size";
  private static final String LOG_AGREED = "burst_buffer_agree";

  /** Keys of PnetCDF that differ from ours by more than the prefix. */
  private static final Map<String, String> SYNONYMS =
      Map.of(
          "burst_buf", LOGGING,
          "burst_buf_dirname", LOG_DIRECTORY,
          "burst_buf_shared_logs", LOG_SHARED,
          "burst_buf_del_on_close", LOG_DELETE,
          "burst_buf_flush_buffer_size", LOG_FLUSH_SIZE,
          "burst_buf_overwrite", LOG_OVERWRITE);

  private static final String PNETCDF_PREFIX = "nc_";

  private static final Set<String> KEYS =
      Set.of(
          AGGREGATORS,
          WINDOW,
          STRIPE,
          HEADER_ALIGNMENT,
          LOGGING,
          LOG_DIRECTORY,
          LOG_SHARED,
          LOG_DELETE,
          LOG_FLUSH_SIZE,
          LOG_OVERWRITE,
          LOG_FLUSH_BEFORE_READ,
          LOG_SIZE_MAX,
          LOG_BACKGROUND,
          LOG_HELD_SIZE,
          LOG_AGREED);

  /** The maximum alignment that reserves room for the header to grow. */
  private static final long HEADER_ALIGNMENT_MAX = 1 << 30;

  private final Map<String, String> values;

  private Hints(Map<String, String> values) {
    this.values = values;
  }

  /** No settings but the defaults. */
  public static Hints none() {
    return new Hints(Map.of());
  }

  /** Settings of the environment only. */
  public static Hints ofEnvironment() throws NetcdfException {
    return none().with(System.getenv());
  }

  /**
   * Reads settings.
   *
   * @throws NetcdfException naming an unknown key
   */
  public static Hints parse(String text) throws NetcdfException {
    Map<String, String> values = new LinkedHashMap<>();
    read(text, true, values);
    return new Hints(values);
  }

  /** These settings, overridden by those of the environment. */
  public Hints with(Map<String, String> environment) throws NetcdfException {
    Map<String, String> all = new LinkedHashMap<>(values);
    read(environment.getOrDefault(PNETCDF_VARIABLE, ""), false, all);
    read(environment.getOrDefault(VARIABLE, ""), true, all);
    return new Hints(all);
  }

  private static void read(String text, boolean strict, Map<String, String> into)
      throws NetcdfException {
    for (String setting : text.split(";", -1)) {
      if (setting.isBlank()) continue;
      int equals = setting.indexOf('=');
      String key = (equals < 0 ? setting : setting.substring(0, equals)).trim();
      String ours = key.startsWith(PNETCDF_PREFIX) ? key.substring(PNETCDF_PREFIX.length()) : key;
      ours = SYNONYMS.getOrDefault(ours, ours);
      if (equals < 0 || !KEYS.contains(ours)) {
        if (!strict) continue;
        throw bad("'" + setting.trim() + "' is not a known setting");
      }
      into.put(ours, setting.substring(equals + 1).trim());
    }
  }

  DirectSettings direct() throws NetcdfException {
    DirectSettings defaults = DirectSettings.DEFAULT;
    try {
      return new DirectSettings(
          (int) number(AGGREGATORS, defaults.aggregators(), Integer.MAX_VALUE),
          (int) number(WINDOW, defaults.windowBytes(), Integer.MAX_VALUE),
          (int) number(STRIPE, defaults.stripeBytes(), Integer.MAX_VALUE));
    } catch (IllegalArgumentException e) {
      throw new NetcdfException(NetcdfError.BAD_HINT, String.valueOf(e.getMessage()), e);
    }
  }

  /** Where the first variable may begin: a multiple of this. */
  public long headerAlignmentBytes() throws NetcdfException {
    return number(HEADER_ALIGNMENT, 1, HEADER_ALIGNMENT_MAX);
  }

  /** Throws if a value is invalid. */
  void check(Path file) throws NetcdfException {
    direct();
    headerAlignmentBytes();
    logging();
    log(file);
    overwriteLog();
  }

  /** Whether writes are to be logged. */
  public boolean logging() throws NetcdfException {
    return flag(LOGGING, false);
  }

  /** The directory of a file's logs. */
  public Path logDirectory(Path file) throws NetcdfException {
    return log(file).directory();
  }

  /** How writes are logged; next to the file unless a directory is given. */
  LogSettings log(Path file) throws NetcdfException {
    String directory = values.get(LOG_DIRECTORY);
    Path parent = file.toAbsolutePath().normalize().getParent();
    return new LogSettings(
        directory == null && parent != null
            ? parent
            : FileNames.parse(directory == null ? "" : directory),
        flag(LOG_SHARED, false),
        flag(LOG_DELETE, true),
        number(LOG_FLUSH_SIZE, LogSettings.FLUSH_BUFFER_BYTES, Long.MAX_VALUE),
        flag(LOG_FLUSH_BEFORE_READ, false),
        number(LOG_SIZE_MAX, 0, Long.MAX_VALUE),
        flag(LOG_BACKGROUND, false),
        number(LOG_HELD_SIZE, 0, Long.MAX_VALUE),
        flag(LOG_AGREED, false));
  }

  /** Whether logs of a file that no longer exists may be discarded. */
  boolean overwriteLog() throws NetcdfException {
    return flag(LOG_OVERWRITE, false);
  }

  private boolean flag(String key, boolean otherwise) throws NetcdfException {
    return switch (values.getOrDefault(key, otherwise ? "enable" : "disable")) {
      case "enable", "true", "1" -> true;
      case "disable", "false", "0" -> false;
      default -> throw bad(key + " is 'enable' or 'disable'");
    };
  }

  private long number(String key, long otherwise, long max) throws NetcdfException {
    String text = values.get(key);
    if (text == null) return otherwise;
    try {
      long value = ByteSize.parse(text).bytes();
      if (value <= max) return value;
    } catch (IllegalArgumentException e) {
      throw new NetcdfException(NetcdfError.BAD_HINT, key + ": " + e.getMessage(), e);
    }
    throw bad(key + ": " + text + " is more than " + max);
  }

  private static NetcdfException bad(String what) {
    return new NetcdfException(NetcdfError.BAD_HINT, what);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    values.forEach((key, value) -> text.append(key).append('=').append(value).append(';'));
    return text.toString();
  }
}
