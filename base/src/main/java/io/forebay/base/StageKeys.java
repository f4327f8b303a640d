// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/**
 * The keys of pairs that record the stages of an instance: {@code .forebay/stage/KIND/ID}, with
 * more behind it for some kinds. Clients write the pairs; seats look only at the two marks.
 */
public final class StageKeys {
  /** Keys that begin so are not shown to users. */
  public static final String RESERVED = ".forebay/";

  private static final String STAGE = RESERVED + "stage/";

  /** The mark of a stage that a server has something to do for. */
  public static final String OPEN = STAGE + "open/";

  /** The mark of a stage that must succeed, or be given up, before its instance is gone. */
  public static final String DUE = STAGE + "due/";

  private StageKeys() {}

  /** Where the keys of a kind begin. */
  public static String of(String kind) {
    return STAGE + kind + "/";
  }

  /** The stage that a key belongs to; empty if it is no key of a stage. */
  public static String stageOf(String key) {
    if (!key.startsWith(STAGE)) return "";
    int kindEnd = key.indexOf('/', STAGE.length());
    if (kindEnd < 0) return "";
    int idEnd = key.indexOf('/', kindEnd + 1);
    return key.substring(kindEnd + 1, idEnd < 0 ? key.length() : idEnd);
  }
}
