// SPDX-License-Identifier: Apache-2.0

/**
 * Proofs that clients show to seats in order to read and write records (P28): short numbers derived
 * from secrets. Start reading at {@link io.forebay.base.proof.ContentKey}.
 */
@NullMarked
package io.forebay.base.proof;

import org.jspecify.annotations.NullMarked;
