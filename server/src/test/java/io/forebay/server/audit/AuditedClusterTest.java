// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.audit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.limit.StrangerSocket;
import io.forebay.wire.Address;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager and its servers record who did what to which instance. */
@Timeout(120)
class AuditedClusterTest {
  private static final int MIB = 1 << 20;
  private static final ForebayOptions OWNER =
      ForebayOptions.defaults().withIdentity(new Identity(1234, List.of(1234))).withNode("n1");
  private static final ForebayOptions OTHER =
      ForebayOptions.defaults().withIdentity(new Identity(1235, List.of(1235))).withNode("n2");

  @TempDir private Path base;

  private static void assertLine(List<String> lines, String... parts) {
    assertThat(lines).anySatisfy(line -> assertThat(line).contains(parts));
  }

  private List<String> linesOfServers() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> all = Files.walk(base)) {
      for (Path each : all.filter(file -> file.endsWith("audit.log")).toList()) {
        if (!each.startsWith(base.resolve("manager"))) lines.addAll(Files.readAllLines(each));
      }
    }
    return lines;
  }

  @Test
  void changesOfInstancesSessionsAndRefusalsAreRecorded() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .segmentBytes(MIB)
            .budget(16L * MIB, 32L * MIB)
            .directory(base)
            .memoryRoot(Files.createDirectory(base.resolve("memory")))
            .withoutInstance()
            .start()) {
      try (Cluster admin = Cluster.connect(cluster.uri(""), OWNER)) {
        admin.createInstance("mine", InstanceOptions.defaults());
      }
      try (Forebay client = Forebay.connect(cluster.uri("mine"), OWNER)) {
        client.open("/secret", WRITE, CREATE).close();
        client.chmod("/secret", 0600);
      }
      try (Forebay client = Forebay.connect(cluster.uri("mine"), OTHER)) {
        assertThatThrownBy(() -> client.open("/secret", READ)).isInstanceOf(IOException.class);
      }
      letASessionExpire(cluster);
      sendGarbage(cluster.managerAddress());
      sendGarbage((Address.Inet) cluster.addresses(0).getFirst());
      try (Cluster stranger = Cluster.connect(cluster.uri(""), OTHER)) {
        assertThatThrownBy(() -> stranger.destroyInstance("mine")).isInstanceOf(IOException.class);
      }
      try (Cluster admin = Cluster.connect(cluster.uri(""), OWNER)) {
        admin.destroyInstance("mine");
      }
    }
    List<String> manager = Files.readAllLines(base.resolve("manager/audit/audit.log"));
    String owner = "\"user\":1234";
    String other = "\"user\":1235";
    String mine = "\"instance\":\"mine\"";
    assertLine(manager, owner, "\"action\":\"CreateInstance\"", mine, "\"outcome\":\"ok\"");
    assertLine(manager, owner, "\"action\":\"DestroyInstance\"", mine, "\"outcome\":\"ok\"");
    assertLine(
        manager,
        other,
        "\"action\":\"DestroyInstance\"",
        mine,
        "\"outcome\":\"refused\"",
        "belongs to user 1234");
    assertThat(manager).allSatisfy(line -> assertThat(line).contains("\"peer\":\"127.0.0.1:"));
    List<String> servers = linesOfServers();
    assertLine(servers, owner, "\"action\":\"BeginSession\"", mine, "\"detail\":\"node n1\"");
    assertLine(servers, other, "\"action\":\"BeginSession\"", mine, "\"detail\":\"node n2\"");
    assertLine(servers, owner, "\"action\":\"EndSession\"", mine, "\"outcome\":\"ok\"");
    assertLine(servers, other, "\"action\":\"Open\"", mine, "\"outcome\":\"refused\"");
    assertLine(
        servers,
        "\"principal\":\"itself\"",
        other,
        "\"action\":\"SessionExpired\"",
        mine,
        "\"detail\":\"session 7777, node n3\"");
    assertLine(manager, "\"action\":\"MalformedFrame\"", "\"outcome\":\"refused\"", "sent ");
    assertLine(servers, "\"action\":\"MalformedFrame\"", "\"outcome\":\"refused\"", "sent ");
  }

  /** A client that is let in, and then sends bytes that are no message. */
  private static void sendGarbage(Address.Inet door) throws IOException {
    try (StrangerSocket socket = new StrangerSocket(door)) {
      socket.write(ByteBuffer.allocate(1000));
      while (!socket.isClosed()) Thread.onSpinWait();
    }
  }

  /** A client that begins a session and is not heard again. */
  private void letASessionExpire(EmbeddedCluster cluster) throws Exception {
    RingMap map;
    try (Cluster admin = Cluster.connect(cluster.uri(""), OWNER)) {
      map = admin.map();
    }
    Instance instance = map.instances().getFirst();
    Group group = map.group(instance.rootGroup());
    Names.Request begin =
        new Names.Request(
            group.id(),
            group.epoch(),
            instance.id(),
            0,
            0x7777,
            1,
            0,
            0,
            true,
            OTHER.identity(),
            new Names.BeginSession("n3", TimeUnit.MILLISECONDS.toNanos(100)));
    Address home = Address.parse(map.seat(group.home()).addresses().getFirst());
    try (StrangerSocket socket = new StrangerSocket((Address.Inet) home)) {
      socket.send(1, begin, Frames.NO_PAYLOAD);
      assertThat(socket.receive()).isInstanceOf(Names.SessionIs.class);
    }
    while (linesOfServers().stream().noneMatch(line -> line.contains("SessionExpired"))) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
