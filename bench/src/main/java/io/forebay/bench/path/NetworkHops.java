// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.path.peer.HelperLink;
import io.forebay.bench.transfer.Cost;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bare sockets between this process and helpers: by length of message, streams and direction. */
final class NetworkHops {
  private final PathScale scale;
  private final ByteBuffer source;
  private final Progress progress;

  /**
   * Over any helpers.
   *
   * @param source bytes to send, at least as many as the longest message has
   */
  NetworkHops(PathScale scale, ByteBuffer source, Progress progress) {
    this.scale = scale;
    this.source = source;
    this.progress = progress;
  }

  /** The curves of one transport, with one stream and with several. */
  List<Result> curves(String transport, List<Address> helpers, int streams)
      throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    for (int messageBytes : scale.messageBytes()) {
      progress.measuring("%s, messages of %d bytes".formatted(transport, messageBytes));
      List<CurvePoint> points = new ArrayList<>();
      for (int count : streams == 1 ? List.of(1) : List.of(1, streams)) {
        points.add(new CurvePoint(transport, messageBytes, count, true));
        points.add(new CurvePoint(transport, messageBytes, count, false));
      }
      List<Rounds.Trial<Cost>> trials = new ArrayList<>();
      for (CurvePoint point : points) trials.add(() -> cost(helpers, point));
      List<List<Cost>> costs = Rounds.run(scale.rounds(), scale.warmUps(), trials);
      for (int i = 0; i < points.size(); i++) {
        results.add(new Hop(points.get(i).name(), costs.get(i)).result());
      }
    }
    return results;
  }

  /** The hop of a path: messages as long as its transfers, as many streams as clients. */
  Hop hop(String name, String transport, List<Address> helpers, int bytes, int streams, boolean out)
      throws IOException, InterruptedException {
    progress.measuring(name);
    CurvePoint point = new CurvePoint(transport, bytes, streams, out);
    List<Rounds.Trial<Cost>> trials = List.of(() -> cost(helpers, point));
    return new Hop(name, Rounds.run(scale.rounds(), scale.warmUps(), trials).getFirst());
  }

  private Cost cost(List<Address> helpers, CurvePoint point)
      throws IOException, InterruptedException {
    int streams = point.streams();
    long count = scale.messages(point.messageBytes(), streams);
    List<HelperLink> links = new ArrayList<>();
    try {
      for (int i = 0; i < streams; i++) {
        Address helper = helpers.get(i % helpers.size());
        links.add(
            point.out()
                ? HelperLink.taking(helper, point.messageBytes(), count)
                : HelperLink.giving(helper, point.messageBytes(), count));
      }
      long nanos = Together.nanos(streams, index -> move(links.get(index), point));
      return new Cost(count * point.messageBytes() * streams, nanos, 0);
    } finally {
      for (HelperLink link : links) link.close();
    }
  }

  private void move(HelperLink link, CurvePoint point) throws IOException {
    if (point.out()) link.send(source.slice(0, point.messageBytes()));
    else link.receive(ByteBuffer.allocateDirect(Math.max(point.messageBytes(), 64 << 10)));
  }

  /**
   * Many senders to one thread that receives, and one thread that sends to many, each next to one
   * to one: the incast question.
   */
  List<Result> manyToOne(List<Address> helpers, int messageBytes)
      throws IOException, InterruptedException {
    int many = helpers.size();
    progress.measuring("many to one");
    List<Rounds.Trial<Double>> trials =
        List.of(
            () -> gathered(helpers, messageBytes),
            () -> gathered(helpers.subList(0, 1), messageBytes),
            () -> scattered(helpers, messageBytes),
            () -> scattered(helpers.subList(0, 1), messageBytes));
    List<Samples> samples = Rounds.figures(scale.rounds(), scale.warmUps(), trials);
    return List.of(
        Result.of(many + " senders to 1", Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
            .against("1 to 1", samples.get(1)),
        Result.of("1 sender to " + many, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(2))
            .against("1 to 1", samples.get(3)));
  }

  private double gathered(List<Address> from, int messageBytes) throws IOException {
    long count = scale.messages(messageBytes, from.size());
    List<HelperLink> links = new ArrayList<>();
    try {
      for (Address helper : from) links.add(HelperLink.giving(helper, messageBytes, count));
      ByteBuffer into = ByteBuffer.allocateDirect(messageBytes);
      long start = System.nanoTime();
      HelperLink.receiveAll(links, into);
      return Rate.mibPerSecond(count * messageBytes * from.size(), System.nanoTime() - start);
    } finally {
      for (HelperLink link : links) link.close();
    }
  }

  private double scattered(List<Address> to, int messageBytes) throws IOException {
    long count = scale.messages(messageBytes, to.size());
    List<HelperLink> links = new ArrayList<>();
    try {
      for (Address helper : to) links.add(HelperLink.taking(helper, messageBytes, count));
      ByteBuffer piece = source.slice(0, messageBytes);
      long start = System.nanoTime();
      for (long i = 0; i < count; i++) {
        for (HelperLink link : links) link.sendOne(piece);
      }
      for (HelperLink link : links) link.awaitTaken();
      return Rate.mibPerSecond(count * messageBytes * to.size(), System.nanoTime() - start);
    } finally {
      for (HelperLink link : links) link.close();
    }
  }
}
