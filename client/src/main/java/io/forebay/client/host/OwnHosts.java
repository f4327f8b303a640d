// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.host;

import io.forebay.wire.Address;
import io.forebay.wire.authority.CertificateName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names and addresses by which others may dial a listener of this machine. Stateless. */
public final class OwnHosts {
  private static final int HOSTS_MAX = 32;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");

  private OwnHosts() {}

  /** The address, its host name, and for the wildcard all addresses of this machine. */
  public static List<String> of(Address.Inet listen) throws IOException {
    Set<String> hosts = new LinkedHashSet<>();
    InetAddress at;
    try {
      at = InetAddress.getByName(listen.host());
    } catch (UnknownHostException e) {
      throw new IOException("'" + listen.host() + "' is not a known host", e);
    }
    if (at.isAnyLocalAddress()) {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(each.getInetAddresses())) add(hosts, address);
      }
    } else {
      addName(hosts, listen.host());
      add(hosts, at);
    }
    if (at.isLoopbackAddress() || at.isAnyLocalAddress()) addName(hosts, "localhost");
    if (!at.isLoopbackAddress()) addName(hosts, HostName.local());
    return hosts.stream().limit(HOSTS_MAX).toList();
  }

  /** The same names, and addresses in one form: an IPv6 address has several. */
  public static Set<String> uniform(List<String> hosts) {
    return hosts.stream().map(OwnHosts::uniform).collect(Collectors.toSet());
  }

  private static String uniform(String host) {
    if (host.indexOf(':') < 0 || CertificateName.parse(host) != null) return host;
    try {
      return InetAddress.getByName(host.replaceFirst("%.*", "")).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  private static void add(Set<String> hosts, InetAddress address) {
    if (!address.isLinkLocalAddress()) hosts.add(address.getHostAddress());
  }

  private static void addName(Set<String> hosts, String name) {
    if (NAME.matcher(name).matches()) hosts.add(name);
  }
}
