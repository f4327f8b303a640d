// SPDX-License-Identifier: Apache-2.0

/**
 * Records as bytes: the components in their order, numbers big-endian, lists and texts with their
 * length in front. Messages and journal entries are written this way, so that a record and its
 * bytes cannot drift apart. Pure; each writer and reader has one owner. Start reading at {@link
 * io.forebay.base.fields.RecordFields}.
 */
@NullMarked
package io.forebay.base.fields;

import org.jspecify.annotations.NullMarked;
