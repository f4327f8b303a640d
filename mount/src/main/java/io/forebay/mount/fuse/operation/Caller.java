// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse.operation;

/** Which thread asks, and on whose behalf. */
public record Caller(int user, int group, int thread) {}
