// SPDX-License-Identifier: Apache-2.0

package io.forebay.authority;

import io.forebay.simulation.fuzz.MessageMaker;
import io.forebay.simulation.fuzz.StrangerRequests;
import io.forebay.wire.Address;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MessageTooLong;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.tls.IdentityFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A program on another host that reaches all ports of a ring. It prints a line for everything that
 * it gets and should not, and at the end how much it has tried.
 */
final class OutsiderProcess {
  /** What refuses a proved user who claims more. */
  private static final Set<ErrorCode> DENIALS =
      EnumSet.of(
          ErrorCode.REFUSED,
          ErrorCode.UNPROVED,
          ErrorCode.ACCESS_DENIED,
          ErrorCode.NOT_PERMITTED,
          ErrorCode.NOT_FOUND,
          ErrorCode.UNKNOWN_INSTANCE);

  /** More than any message has in the way of a header, and no header at all. */
  private static final byte[] NOISE = new byte[64];

  private static final int FRAME_BYTES_MAX = 4096;

  private final Frames frames = new Frames();
  private final KnownRing ring;
  private final Identity self;
  private final MessageMaker maker;
  private int messages;
  private int connections;

  private OutsiderProcess(KnownRing ring, Identity self) {
    this.ring = ring;
    this.self = self;
    this.maker = new MessageMaker(new SplittableRandom(1), ring.values());
  }

  /** Of a folder with what it knows, and the number of its user. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    int user = Integer.parseInt(arguments[1]);
    OutsiderProcess outsider =
        new OutsiderProcess(KnownRing.read(folder), new Identity(user, List.of(user)));
    SSLContext stranger = RawLine.believingAll(null);
    outsider.everythingWithoutTls();
    outsider.everythingAtOnce(RawLine.believingAll(new IdentityFiles(folder.resolve("forged"))));
    outsider.everything(stranger);
    outsider.noise(stranger);
    outsider.list("a stranger", stranger);
    outsider.list("a user", RawLine.believingAll(new IdentityFiles(folder.resolve("user"))));
    System.out.printf(
        "tried %d messages, %d connections%n", outsider.messages, outsider.connections);
  }

  private static void got(String how, Object what) {
    System.out.println("got " + what + " by " + how);
  }

  private RawLine dial(Address.Inet to, @Nullable SSLContext tls) throws IOException {
    connections++;
    return RawLine.dial(to, tls);
  }

  private static Handshake.Hello hello(Handshake.Role role) {
    return Handshake.Hello.of(role, Handshake.Lane.CONTROL, 0, "outsider", 1);
  }

  /** A message of each type, and a request for each operation on names. */
  private List<Message> all() {
    List<Message> all = new ArrayList<>();
    for (Class<? extends Message> type : MessageTypes.all()) {
      Message made = brief(type);
      all.add(made);
      if (!(made instanceof Names.Op op)) continue;
      all.add(
          new Names.Request(
              ring.root().id(),
              ring.root().epoch(),
              ring.secret().id(),
              0,
              1,
              op instanceof Names.Change ? 1 : 0,
              0,
              0,
              true,
              Identity.root(),
              op));
    }
    messages += all.size();
    return all;
  }

  /** Some are too long for a frame, and long ones take time. */
  private Message brief(Class<? extends Message> type) {
    Message made = maker.make(type);
    while (!isBrief(made)) made = maker.make(type);
    return made;
  }

  private boolean isBrief(Message message) {
    try {
      return frames.encode(1, message, Frames.NO_PAYLOAD).remaining() < FRAME_BYTES_MAX;
    } catch (MessageTooLong e) {
      return false;
    }
  }

  /** Each message on a connection of its own: the first bytes end it. */
  private void everythingWithoutTls() throws IOException {
    for (Address.Inet target : ring.targets()) {
      for (Handshake.Role role : Handshake.Role.values()) {
        for (Message message : all()) {
          try (RawLine line = dial(target, null)) {
            if (line.send(line.frame(0, hello(role)))) line.send(line.frame(1, message));
            RawLine.Received answer;
            while ((answer = line.read()) != null) {
              if (answer.message() instanceof Handshake.Refusal) continue;
              got(name(message) + " as " + role + " without TLS at " + target, answer);
            }
          }
        }
      }
    }
  }

  /** All messages behind each other: none is looked at before the handshake of TLS is over. */
  private void everythingAtOnce(SSLContext tls) throws IOException {
    for (Address.Inet target : ring.targets()) {
      for (Handshake.Role role : Handshake.Role.values()) {
        try (RawLine line = dial(target, tls)) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          bytes.writeBytes(line.frame(0, hello(role)));
          for (Message message : all()) bytes.writeBytes(line.frame(1, message));
          line.send(bytes.toByteArray());
          RawLine.Received answer = line.read();
          if (answer != null) got("a forged certificate as " + role + " at " + target, answer);
        }
      }
    }
  }

  private void everything(SSLContext tls) throws IOException {
    for (Address.Inet target : ring.targets()) {
      for (Handshake.Role role : Handshake.Role.values()) {
        RawLine line = null;
        for (Message message : all()) {
          if (line == null) line = greeted(target, role, tls);
          if (line == null) break;
          String how = name(message) + " as " + role + " at " + target;
          if (!isAnswered(line, message, how)) {
            line.close();
            line = null;
          }
        }
        if (line != null) line.close();
      }
    }
  }

  /** A connection that is welcome; null if that role is not. */
  private @Nullable RawLine greeted(Address.Inet to, Handshake.Role role, SSLContext tls)
      throws IOException {
    RawLine line = dial(to, tls);
    line.send(line.frame(0, hello(role)));
    RawLine.Received answer = line.read();
    if (answer != null && answer.message() instanceof Handshake.Welcome) return line;
    line.close();
    return null;
  }

  /** Sends a message and behind it a request that is refused; false if it ended the connection. */
  private boolean isAnswered(RawLine line, Message message, String how) throws IOException {
    if (!line.send(line.frame(1, message)) || !line.send(line.frame(2, new Maps.GetMap(0)))) {
      return false;
    }
    while (true) {
      RawLine.Received answer = line.read();
      if (answer == null) return false;
      boolean needsProof = answer.request() != 1 || StrangerRequests.needsProof(message.getClass());
      boolean refused =
          needsProof
              ? StrangerRequests.isRefusal(answer.message())
              : answer.message() instanceof Replies.Failed;
      if (!refused) got(how, answer);
      if (answer.request() == 2) return true;
    }
  }

  /** Bytes that are no message, after the handshake. */
  private void noise(SSLContext tls) throws IOException {
    for (Address.Inet target : ring.targets()) {
      try (RawLine line = greeted(target, Handshake.Role.CLIENT, tls)) {
        if (line == null || !line.send(NOISE)) continue;
        RawLine.Received answer = line.read();
        if (answer != null) got("noise at " + target, answer);
      }
    }
  }

  /** What outsiders once did. */
  private void list(String as, SSLContext tls) throws IOException {
    for (OutsiderTry each : OutsiderTry.all(ring, self)) {
      messages++;
      Address.Inet target = each.atManager() ? ring.manager() : KnownRing.address(ring.home());
      try (RawLine line = greeted(target, each.role(), tls)) {
        if (line == null || !line.send(line.frame(1, each.message()))) continue;
        RawLine.Received answer = line.read();
        while (answer != null && answer.request() != 1) answer = line.read();
        if (answer == null) continue;
        if (!isDenial(answer.message())) got("'" + each.what() + "' as " + as, answer);
      }
    }
  }

  /** A proved user may ask for the map; the answer to an epoch that is no map's has none. */
  private static boolean isDenial(Message answer) {
    if (answer instanceof Maps.MapIs is) return is.map().length() == 0;
    return answer instanceof Replies.Failed failed && DENIALS.contains(failed.code());
  }

  private static String name(Message message) {
    return message instanceof Names.Request request
        ? "Request of " + request.what().getClass().getSimpleName()
        : message.getClass().getSimpleName();
  }
}
