// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

/**
 * A program of a user.
 *
 * @param program as of /proc/PID/comm
 */
public record ProgramName(int user, String program) {}
