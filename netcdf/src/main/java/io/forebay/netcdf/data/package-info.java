// SPDX-License-Identifier: Apache-2.0

/**
 * Elements in memory, parts of variables, and the way between memory and file: conversion of types,
 * and the runs of bytes that a part of a variable takes. Values and pure functions; the caller owns
 * the memory. Start reading at {@link io.forebay.netcdf.data.Values} and {@link
 * io.forebay.netcdf.data.Runs}.
 */
@NullMarked
package io.forebay.netcdf.data;

import org.jspecify.annotations.NullMarked;
