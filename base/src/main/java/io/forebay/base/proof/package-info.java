// SPDX-License-Identifier: Apache-2.0

/**
 * What clients show seats so that they get records and may write them (P28): short numbers that
 * follow from secrets. Start reading at {@link io.forebay.base.proof.ContentKey}.
 */
@NullMarked
package io.forebay.base.proof;

import org.jspecify.annotations.NullMarked;
