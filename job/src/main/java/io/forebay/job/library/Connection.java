// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.Forebay;
import io.forebay.client.stage.Staging;
import java.util.concurrent.locks.Lock;

/**
 * A connection to an instance as one user.
 *
 * @param starts held while a stage is started, so that a path gets one active stage
 */
record Connection(Forebay client, Staging staging, Lock starts) {}
