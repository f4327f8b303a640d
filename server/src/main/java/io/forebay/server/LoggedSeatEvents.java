// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.seat.audit.AuditEvent;
import io.forebay.seat.audit.AuditEvents;
import io.forebay.seat.part.SeatEvents;
import io.forebay.server.stage.Stager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the events of a seat.
 *
 * @param whenLeft runs when it has left the ring
 * @param audit gets what users did
 * @param stager gets the instances that another server wants help with
 */
record LoggedSeatEvents(String name, Runnable whenLeft, Stager stager, AuditEvents audit)
    implements SeatEvents {
  private static final Logger LOG = LoggerFactory.getLogger(SeatEvents.class);

  @Override
  public void told(String sentence) {
    LOG.info("{}: {}", name, sentence);
  }

  @Override
  public void warned(String sentence) {
    LOG.warn("{}: {}", name, sentence);
  }

  @Override
  public void requestFailed(String sentence, Throwable cause) {
    LOG.error("{}: {}", name, sentence, cause);
  }

  @Override
  public void audited(AuditEvent event) {
    audit.audited(event);
  }

  @Override
  public long lost() {
    return audit.lost();
  }

  @Override
  public void calledToStage(int instance, String instanceName) {
    stager.called(instance, instanceName);
  }

  @Override
  public void left() {
    whenLeft.run();
  }
}
