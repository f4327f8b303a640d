// SPDX-License-Identifier: Apache-2.0

/**
 * Services of the machine for cores: randomness, the time of day, direct memory, names of socket
 * files. Entered by the processes of this module. Any thread. Start reading at {@link
 * io.forebay.server.machine.Randomness}.
 */
@NullMarked
package io.forebay.server.machine;

import org.jspecify.annotations.NullMarked;
