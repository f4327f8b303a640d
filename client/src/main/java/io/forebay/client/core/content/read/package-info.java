// SPDX-License-Identifier: Apache-2.0

/**
 * Reading: which records a range consists of, fetching them from any seat that has them,
 * read-ahead, and holes. Entered by the packages of {@code client.core}. Pure; called by the
 * client's loop only. Start reading at {@link io.forebay.client.core.content.read.RangeRead}.
 */
@NullMarked
package io.forebay.client.core.content.read;

import org.jspecify.annotations.NullMarked;
