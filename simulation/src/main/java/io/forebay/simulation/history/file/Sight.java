// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history.file;

import io.forebay.simulation.history.Operation;

/** A run of bytes that a read saw. */
public record Sight(Operation read, long from, long to, long value) {}
