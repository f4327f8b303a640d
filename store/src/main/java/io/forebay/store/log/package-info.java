// SPDX-License-Identifier: Apache-2.0

/**
 * The bytes of a log: segments, records and marks, writing them and finding them again. Pure code
 * over buffers; each object belongs to one thread. Start reading at {@link
 * io.forebay.store.log.RecordLayout}.
 */
@NullMarked
package io.forebay.store.log;

import org.jspecify.annotations.NullMarked;
