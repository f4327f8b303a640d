// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.disk.Disk.Outcome;
import io.forebay.store.disk.Disk.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An owner of a disk who does one thing at a time and waits for it. */
final class DiskUser {
  /** A request that still lacks its completion. */
  interface Request {
    void submit(Disk.Completion completion);
  }

  private final Disk disk;

  DiskUser(Disk disk) {
    this.disk = disk;
  }

  void create(String name, long bytes) {
    must(done -> disk.create(name, bytes, done));
  }

  void write(String name, long position, byte[] bytes) {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    must(done -> disk.write(name, position, source, done));
  }

  byte[] read(String name, long position, int bytes) {
    ByteBuffer target = ByteBuffer.allocate(bytes);
    must(done -> disk.read(name, position, target, done));
    return target.array();
  }

  void force(String name) {
    must(done -> disk.force(name, done));
  }

  ByteBuffer map(String name) {
    must(done -> disk.map(name, done));
    return disk.mapped(name);
  }

  void must(Request request) {
    assertThat(outcome(request)).isEqualTo(Outcome.Success.DONE);
  }

  void mustFail(Reason reason, Request request) {
    Outcome outcome = outcome(request);
    assertThat(outcome).isInstanceOf(Outcome.Failure.class);
    assertThat(((Outcome.Failure) outcome).reason()).isEqualTo(reason);
  }

  void settle() {
    try {
      while (disk.pending() > 0) {
        disk.await(TimeUnit.SECONDS.toNanos(1));
        disk.poll();
      }
    } catch (InterruptedException interrupt) {
      throw new AssertionError("interrupted", interrupt);
    }
  }

  private Outcome outcome(Request request) {
    List<Outcome> outcomes = new ArrayList<>();
    request.submit(outcomes::add);
    settle();
    assertThat(outcomes).hasSize(1);
    return outcomes.getFirst();
  }
}
