// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.netcdf.bundle.memory.Memory;
import java.util.function.Function;

/**
 * What bundles are written on. Programs use {@link BundleSet#create}; benchmarks bring storage of
 * their own, and simulations all of it.
 *
 * @param files makes the files of a bundle
 * @param memory gives ranks their buffers
 * @param clock measures the parts of a step
 */
public record BundleGround(
    Function<Bundle, BundleFiles> files, Memory memory, MonotonicClock clock) {}
