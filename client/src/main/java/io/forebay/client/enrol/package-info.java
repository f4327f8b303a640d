// SPDX-License-Identifier: Apache-2.0

/**
 * How a process gets a certificate of the cluster's own CA, keeps it valid, and learns which
 * certificates are revoked; and what a further manager asks the others before it is one. Each
 * object belongs to one thread. Start reading at {@link io.forebay.client.enrol.Enroller}.
 */
@NullMarked
package io.forebay.client.enrol;

import org.jspecify.annotations.NullMarked;
