// SPDX-License-Identifier: Apache-2.0

/**
 * The cluster's own CA on the machine of its manager: its files, its signatures, the certificates
 * of the manager itself. Only a manager's process uses it. Start reading at {@link
 * io.forebay.server.authority.ClusterCa}.
 */
@NullMarked
package io.forebay.server.authority;

import org.jspecify.annotations.NullMarked;
