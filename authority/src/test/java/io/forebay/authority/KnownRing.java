// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.base.Bytes;
import io.forebay.base.FileId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.fuzz.LiveValues;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What an outsider may have learnt of a ring: all its addresses, the whole map, the number of a
 * file.
 *
 * @param instance root's, which admits root only
 * @param file a file in it
 */
record KnownRing(Address.Inet manager, RingMap map, String instance, long file) {
  void write(Path folder) throws IOException {
    Files.write(folder.resolve("map"), RingMapCodec.write(map).toArray());
    Files.writeString(folder.resolve("ring"), manager + " " + instance + " " + file);
  }

  static KnownRing read(Path folder) throws IOException {
    String[] words = Files.readString(folder.resolve("ring")).split(" ", -1);
    try {
      RingMap map = RingMapCodec.read(Bytes.copyOf(Files.readAllBytes(folder.resolve("map"))));
      return new KnownRing(
          (Address.Inet) Address.parse(words[0]), map, words[1], Long.parseLong(words[2]));
    } catch (MalformedFields e) {
      throw new IOException(e);
    }
  }

  Instance secret() {
    return map.instance(instance);
  }

  FileId fileId() {
    return new FileId(secret().id(), file);
  }

  Group root() {
    return map.group(secret().rootGroup());
  }

  /** The home of the instance's names. */
  SeatEntry home() {
    return map.seat(root().home());
  }

  static Address.Inet address(SeatEntry seat) {
    return seat.addresses().stream()
        .map(Address::parse)
        .filter(Address.Inet.class::isInstance)
        .map(Address.Inet.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /** The manager and the home. */
  List<Address.Inet> targets() {
    return List.of(manager, address(home()));
  }

  /** Values that let made-up requests get as far as they can. */
  LiveValues values() {
    LiveValues values = new LiveValues();
    values.add("group", root().id());
    values.add("epoch", root().epoch());
    values.add("instance", secret().id());
    values.add("tree", 0);
    values.add("file", file);
    values.add("file", Names.ROOT);
    values.add("who", Identity.root());
    values.add("ringEpoch", map.epoch());
    for (SeatEntry seat : map.seats()) values.add("seat", seat.id());
    return values;
  }
}
