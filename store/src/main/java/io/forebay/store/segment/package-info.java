// SPDX-License-Identifier: Apache-2.0

/**
 * The segments of an open log: appending records to them, writing and forcing their files, reading
 * them, and handing out their slots. Entered by the store's packages only, apart from {@link
 * io.forebay.store.segment.Reserve} and {@link io.forebay.store.segment.Reservation}, which owners
 * of a store see too; the fields of {@link io.forebay.store.segment.Segment} are state that the
 * store's packages share. Called by the store's owner only. Start reading at {@link
 * io.forebay.store.segment.Segment}, then {@link io.forebay.store.segment.Appender}.
 */
@NullMarked
package io.forebay.store.segment;

import org.jspecify.annotations.NullMarked;
