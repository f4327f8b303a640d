// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.store.disk.Disk.FileEntry;
import io.forebay.store.disk.Disk.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The device inside a {@link FaultyDisk}: its files, their faults, and the outcome of each request.
 * It outlives the simulated processes. One thread; draws from the generator in an order that only
 * depends on the calls.
 */
final class FaultyFiles {
  private final RandomGenerator random;
  private final boolean memory;
  private final long capacityBytes;
  private Faults faults;
  private NavigableMap<String, FaultyFile> files = new TreeMap<>();

  FaultyFiles(RandomGenerator random, boolean memory, long capacityBytes, Faults faults) {
    this.random = random;
    this.memory = memory;
    this.capacityBytes = capacityBytes;
    this.faults = faults;
  }

  void setFaults(Faults faults) {
    this.faults = faults;
  }

  /** Carries a request out from beginning to end, or fails it. */
  Outcome carryOut(FaultyRequest request) {
    return Outcomes.of(() -> carryOutWhole(request));
  }

  /** Leaves a request half done, as when the process dies inside it. */
  Outcome carryOutPartly(FaultyRequest request) {
    return Outcomes.of(() -> begin(request));
  }

  void read(String name, long position, ByteBuffer target) throws IOException {
    FaultyFile file = file(name);
    Requests.requireInside(name, position, target.remaining(), file.bytes());
    failIf(faults.readError(), name + ": simulated read error");
    file.evictLost(sector -> hits(faults.eviction()));
    file.read(position, target);
  }

  FaultyFile file(String name) throws NoSuchFileException {
    FaultyFile file = files.get(name);
    if (file == null) throw new NoSuchFileException(name);
    return file;
  }

  /** A view of its own, if there is such a file and it is mapped. */
  @Nullable ByteBuffer mapped(String name) {
    FaultyFile file = files.get(name);
    return file == null || !file.isMapped() ? null : file.map();
  }

  /** The sectors that a force submitted now has to make durable. */
  BitSet dirtySectors(String name) {
    FaultyFile file = files.get(name);
    return file == null ? new BitSet() : file.dirtySectors();
  }

  List<FileEntry> list() {
    List<FileEntry> entries = new ArrayList<>();
    files.forEach((name, file) -> entries.add(new FileEntry(name, file.bytes())));
    return entries;
  }

  void killProcess() {
    files.values().forEach(FaultyFile::killProcess);
  }

  void powerCut() {
    NavigableMap<String, FaultyFile> left = new TreeMap<>();
    if (!memory) files.forEach((name, file) -> left.put(name, file.powerCut(random)));
    files = left;
  }

  private void carryOutWhole(FaultyRequest request) throws IOException {
    if (hits(faults.writeBack())) files.values().forEach(file -> file.writeBack(random));
    switch (request) {
      case FaultyRequest.Create create -> create(create.name(), create.bytes());
      case FaultyRequest.Write write -> write(write);
      case FaultyRequest.Read read -> read(read.name(), read.position(), read.target());
      case FaultyRequest.Force force -> force(force);
      case FaultyRequest.Delete delete -> {
        file(delete.name());
        files.remove(delete.name());
      }
      case FaultyRequest.Map map -> {
        FaultyFile file = file(map.name());
        failIf(faults.readError(), map.name() + ": simulated map error");
        file.map();
      }
    }
  }

  private void begin(FaultyRequest request) throws IOException {
    switch (request) {
      case FaultyRequest.Create create -> {
        requireRoom(create.name(), create.bytes());
        int reachedBytes = random.nextInt((int) create.bytes() + 1);
        files.put(create.name(), new FaultyFile(create.name(), reachedBytes));
      }
      case FaultyRequest.Write write -> tear(write);
      case FaultyRequest.Force force -> file(force.name()).writeBack(random);
      // The others have no middle that would leave a trace.
      case FaultyRequest.Read read -> file(read.name());
      case FaultyRequest.Delete delete -> file(delete.name());
      case FaultyRequest.Map map -> file(map.name());
    }
  }

  private void create(String name, long bytes) throws IOException {
    requireRoom(name, bytes);
    if (hits(faults.createNoSpace())) throw Outcomes.noSpace(name);
    failIf(faults.createError(), name + ": simulated create error");
    files.put(name, new FaultyFile(name, (int) bytes));
  }

  private void write(FaultyRequest.Write write) throws IOException {
    FaultyFile file = file(write.name());
    if (hits(faults.writeError())) {
      tear(write);
      throw new IOException(write.name() + ": simulated write error");
    }
    ByteBuffer source = write.source();
    file.write(write.position(), source, sector -> true);
    source.position(source.limit());
  }

  private void tear(FaultyRequest.Write write) throws IOException {
    file(write.name()).write(write.position(), write.source(), sector -> random.nextBoolean());
  }

  private void force(FaultyRequest.Force force) throws IOException {
    FaultyFile file = file(force.name());
    if (hits(faults.forceError())) {
      file.failForce(random);
      throw new IOException(force.name() + ": simulated force error");
    }
    file.force(force.dirty(), random);
  }

  private void requireRoom(String name, long bytes) throws IOException {
    if (files.containsKey(name)) throw new FileAlreadyExistsException(name);
    long usedBytes = files.values().stream().mapToLong(FaultyFile::bytes).sum();
    if (bytes > Requests.MAPPED_BYTES_MAX || bytes > capacityBytes - usedBytes) {
      throw Outcomes.noSpace(name);
    }
  }

  private void failIf(double probability, String detail) throws IOException {
    if (hits(probability)) throw new IOException(detail);
  }

  private boolean hits(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }
}
