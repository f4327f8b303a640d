// SPDX-License-Identifier: Apache-2.0

/**
 * How code names the rules of the protocol. Every module may use it. Start reading at {@link
 * io.forebay.base.rule.Rule}.
 */
@NullMarked
package io.forebay.base.rule;

import org.jspecify.annotations.NullMarked;
