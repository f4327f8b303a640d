// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.metarates;

/** Operations a second, of all clients together. */
public record Figures(double create, double stat, double utime, double unlink) {}
