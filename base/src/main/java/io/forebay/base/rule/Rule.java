// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.rule;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that keeps a rule of the protocol, so that the rule can be found in the code.
 * Its javadoc says the rule in a sentence. The simulation breaks such methods on purpose to see
 * that a broken rule is noticed; nothing reads the mark while a process runs.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Rule {
  /** The number of the rule in the description of the protocol, such as P9. */
  String value();
}
