// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.pool;

import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.pool.PoolRoom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool in figures.
 *
 * @param quantity all its granules, copies counted
 * @param free those that are promised to no instance
 * @param lacking how many granules its instances lack, copies not counted
 * @param users by number
 */
record PoolFigures(
    Pool pool,
    long quantity,
    long free,
    int servers,
    int seats,
    int instances,
    long lacking,
    List<User> users) {
  /**
   * What a user has of a pool.
   *
   * @param granules copies counted
   */
  record User(int user, int instances, long capacityBytes, long granules) {
    private User with(Instance instance) {
      return new User(
          user,
          instances + 1,
          capacityBytes + instance.capacityBytes(),
          granules + instance.allocation().granules() * instance.copies());
    }
  }

  static PoolFigures of(Pool pool, RingMap map) {
    PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
    TreeMap<Integer, User> users = new TreeMap<>();
    long lacking = 0;
    int instances = 0;
    for (Instance instance : map.instances()) {
      boolean counts = instance.allocation().pool().equals(pool.name());
      if (!counts) continue;
      instances++;
      lacking += instance.granulesShort();
      int owner = instance.owner();
      users.put(owner, users.getOrDefault(owner, new User(owner, 0, 0, 0)).with(instance));
    }
    return new PoolFigures(
        pool,
        room.quantity(),
        room.free(),
        room.servers(),
        room.seats().size(),
        instances,
        lacking,
        List.copyOf(users.values()));
  }

  String name() {
    return pool.name();
  }

  long granuleBytes() {
    return pool.granuleBytes();
  }

  long userBytesMax() {
    return pool.userBytesMax();
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("pool", name());
    json.put("units", "bytes");
    json.put("granularity", granuleBytes());
    json.put("quantity", quantity);
    json.put("free", free);
    json.put("quantityBytes", quantity * granuleBytes());
    json.put("freeBytes", free * granuleBytes());
    json.put("servers", servers);
    json.put("seats", seats);
    json.put("instances", instances);
    json.put("short", lacking);
    json.put("userBytesMax", userBytesMax() == 0 ? null : userBytesMax());
    json.put("protection", pool.protection().isEmpty() ? null : pool.protection());
    List<Map<String, @Nullable Object>> each = new ArrayList<>();
    for (User user : users) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("user", user.user());
      one.put("instances", user.instances());
      one.put("capacityBytes", user.capacityBytes());
      one.put("granules", user.granules());
      each.add(one);
    }
    json.put("users", each);
    return json;
  }
}
