// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.fields;

/** Fields that exceed the bound of their {@link FieldWriter}. */
public final class FieldsTooLong extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  FieldsTooLong(int bytesMax) {
    super("more than " + bytesMax + " bytes of fields");
  }
}
