// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.use;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;
import java.util.Map;

/**
 * What was written and read of instances.
 *
 * @param instances in the order of the map
 * @param silent seats that did not answer, and why: what they count is missing
 * @param missing groups that no seat which answered serves: what they count is missing
 */
public record ClusterUsage(
    List<InstanceUsage> instances, Map<SeatId, String> silent, List<GroupId> missing) {}
