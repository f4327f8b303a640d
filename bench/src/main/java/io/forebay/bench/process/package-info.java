// SPDX-License-Identifier: Apache-2.0

/**
 * Other processes that a benchmark talks to: servers and what they are compared with run apart from
 * the client, as they would elsewhere, and what each side costs can be told. Each object belongs to
 * one thread. Start reading at {@link io.forebay.bench.process.Child}.
 */
@NullMarked
package io.forebay.bench.process;

import org.jspecify.annotations.NullMarked;
