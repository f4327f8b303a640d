// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.proof.JobCredential;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.enrol.Enroller;
import io.forebay.client.job.Job;
import io.forebay.ring.Tenancy;
import io.forebay.server.authority.ManagerAuthority;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.authority.CertificateName.Role;
import io.forebay.wire.authority.JoinToken;
import io.forebay.wire.message.Identity;
import io.forebay.wire.tls.IdentityFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users and agents with certificates: which of them an instance is open to, and as whom. */
@Timeout(180)
class EnrolledUsersTest {
  private static final Identity ALICE = new Identity(1000, List.of(1000));
  private static final Identity BOB = new Identity(2000, List.of(2000));
  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir static Path folder;
  private static EnrolledRing ring;
  private static ForebayOptions alice;
  private static ForebayOptions bob;
  private static ForebayOptions n1;
  private static ForebayOptions n2;

  @BeforeAll
  static void start() throws Exception {
    ring = new EnrolledRing(folder, 2);
    JoinToken token = ring.token(Role.SERVER, "", 2);
    ring.start("a", token);
    ring.start("b", token);
    alice = options(ring.client(ALICE.user()), ALICE);
    bob = options(ring.client(BOB.user()), BOB);
    n1 = agent("n1");
    n2 = agent("n2");
  }

  @AfterAll
  static void stop() {
    if (ring != null) ring.close();
  }

  private static ForebayOptions options(IdentityFiles files, Identity who) {
    return ForebayOptions.defaults()
        .withTls(files.settings())
        .withIdentity(who)
        .withTimeout(Duration.ofSeconds(60));
  }

  /** The agent of a node, asking for root. */
  private static ForebayOptions agent(String node) throws IOException {
    IdentityFiles files = new IdentityFiles(folder.resolve("agent-" + node));
    CertificateName name = new CertificateName(Role.AGENT, node);
    new Enroller(List.of(ring.address()), files)
        .enrol(ring.token(Role.AGENT, node, 1), name, List.of());
    return options(files, Identity.root());
  }

  private static Cluster administrator() throws IOException {
    return Cluster.connect(
        ring.uri(""),
        ForebayOptions.defaults()
            .withIdentity(Identity.root())
            .withTls(ManagerAuthority.administrator(ring.manager())));
  }

  private static void create(String name, Tenancy tenancy) throws IOException {
    try (Cluster cluster = Cluster.connect(ring.uri(""), alice)) {
      cluster.createInstance(name, InstanceOptions.defaults().withTenancy(tenancy));
    }
  }

  private static void write(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(CONTENT), 0);
    }
  }

  private static int read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      return file.read(ByteBuffer.allocate(CONTENT.length), 0);
    }
  }

  private static void requireRefused(String instance, ForebayOptions options, String sentence) {
    assertThatThrownBy(() -> Forebay.connect(ring.uri(instance), options).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void rootOfANodeIsNobodyUnlessTheInstanceSaysSo() throws Exception {
    create("scratch", Tenancy.OPEN);
    try (Forebay owner = Forebay.connect(ring.uri("scratch"), alice);
        Forebay node = Forebay.connect(ring.uri("scratch"), n1)) {
      owner.put("/secret", ByteBuffer.wrap(CONTENT), 0600, null);
      owner.mkdir("/all", 0777);
      assertThat(read(node.as(ALICE), "/secret")).isEqualTo(CONTENT.length);
      assertThatThrownBy(() -> read(node, "/secret")).hasMessageContaining("65534");
      assertThatThrownBy(() -> node.unlink("/secret")).isInstanceOf(IOException.class);
      write(node, "/all/file");
      assertThat(owner.stat("/all/file").user()).isEqualTo(Identity.NOBODY);
      try (Cluster cluster = Cluster.connect(ring.uri(""), alice)) {
        cluster.setAccess("scratch", null, Tenancy.Root.ALLOW);
      }
      EnrolledRing.await(
          () -> {
            try {
              return read(node, "/secret") == CONTENT.length;
            } catch (IOException refused) {
              return false;
            }
          });
      write(node, "/all/root");
      assertThat(owner.stat("/all/root").user()).isEqualTo(Identity.ROOT);
    }
  }

  @Test
  void administratorsAreRoot() throws Exception {
    create("mine", Tenancy.OWN);
    try (Forebay owner = Forebay.connect(ring.uri("mine"), alice);
        Forebay admin =
            Forebay.connect(
                ring.uri("mine"),
                ForebayOptions.defaults()
                    .withIdentity(Identity.root())
                    .withTls(ManagerAuthority.administrator(ring.manager())))) {
      owner.put("/secret", ByteBuffer.wrap(CONTENT), 0600, null);
      assertThat(read(admin, "/secret")).isEqualTo(CONTENT.length);
    }
    requireRefused("mine", n1, "does not admit user 65534");
  }

  @Test
  void aUserThatIsNoLongerAdmittedIsRefused() throws Exception {
    create("lent", Tenancy.OPEN);
    try (Forebay owner = Forebay.connect(ring.uri("lent"), alice);
        Forebay guest = Forebay.connect(ring.uri("lent"), bob);
        Cluster admin = administrator()) {
      write(owner, "/file");
      assertThat(read(guest, "/file")).isEqualTo(CONTENT.length);
      admin.setAccess("lent", Tenancy.Permit.OWNER, null);
      assertThatThrownBy(
              () -> {
                while (true) read(guest, "/file");
              })
          .hasMessageContaining("instance 'lent' does not admit user 2000");
      assertThat(read(owner, "/file")).isEqualTo(CONTENT.length);
    }
  }

  @Test
  void theInstanceOfAJobIsForItsNodesAndItsCredential() throws Exception {
    JobCredential credential = JobCredential.draw("17", new SecureRandom());
    try (Cluster cluster = Cluster.connect(ring.uri(""), alice)) {
      JobRequest request =
          JobRequest.of("17", ALICE)
              .withInstance(InstanceOptions.defaults())
              .withCredential(credential);
      assertThat(cluster.beginJob(request).isReachedWith(credential)).isTrue();
      JobCredential other = JobCredential.draw("17", new SecureRandom());
      Job again = cluster.beginJob(request.withCredential(other));
      assertThat(again.isReachedWith(other)).as("a retry").isFalse();
      String alone = "instance 'job-17' is for its job alone";
      requireRefused("job-17", alice, alone);
      requireRefused("job-17", alice.withJobCredential(other.text()), alone);
      try (Forebay job =
          Forebay.connect(ring.uri("job-17"), alice.withJobCredential(credential.text()))) {
        write(job, "/file");
      }
      assertThatThrownBy(
              () -> Forebay.connect(ring.uri("job-17"), bob.withJobCredential(credential.text())))
          .isInstanceOf(IOException.class);
      requireRefused("job-17", n1.withIdentity(ALICE), alone);
      cluster.setNodes("17", List.of("n1"));
      try (Forebay node = Forebay.connect(ring.uri("job-17"), n1.withIdentity(ALICE))) {
        assertThat(read(node, "/file")).isEqualTo(CONTENT.length);
        assertThatThrownBy(() -> read(node.as(Identity.root()), "/file"))
            .hasMessageContaining("does not admit user 65534");
        requireRefused("job-17", n2.withIdentity(ALICE), alone);
        cluster.setAccess("job-17", null, null);
        assertThat(read(node, "/file")).isEqualTo(CONTENT.length);
      }
      requireRefused("job-17", alice.withJobCredential(credential.text()), alone);
      cluster.endJob("17", true);
    }
  }
}
