// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.use;

/** The bytes of the stages that an instance records: those that are active, and the last ones. */
public record StagedBytes(long inBytes, long outBytes) {}
