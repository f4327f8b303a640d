// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import io.forebay.simulation.audit.AcknowledgementAudit;
import io.forebay.simulation.audit.Audit;
import io.forebay.simulation.audit.BackingAudit;
import io.forebay.simulation.audit.ConfirmationAudit;
import io.forebay.simulation.audit.CurrencyAudit;
import io.forebay.simulation.audit.JournalAudit;
import io.forebay.simulation.audit.KeptAudit;
import io.forebay.simulation.audit.LeaseAudit;
import io.forebay.simulation.audit.MapAudit;
import io.forebay.simulation.audit.PresenceAudit;
import io.forebay.simulation.audit.PromiseAudit;
import io.forebay.simulation.audit.RecordAudit;
import io.forebay.simulation.audit.SessionAudit;
import io.forebay.simulation.audit.UseAudit;
import io.forebay.simulation.world.World;
import java.util.List;

/** The audits of every run. */
record StandardAudits(
    AcknowledgementAudit acknowledgements,
    CurrencyAudit currency,
    BackingAudit stored,
    UseAudit uses,
    List<Audit> all) {
  static StandardAudits of(World world) {
    AcknowledgementAudit acknowledgements = new AcknowledgementAudit(world);
    PresenceAudit presence = new PresenceAudit(world);
    CurrencyAudit currency = new CurrencyAudit(world, acknowledgements, presence);
    RecordAudit records = new RecordAudit(world);
    ConfirmationAudit confirmations = new ConfirmationAudit(world);
    LeaseAudit leases = new LeaseAudit(world);
    JournalAudit journals = new JournalAudit(world);
    MapAudit maps = new MapAudit(world);
    PromiseAudit promises = new PromiseAudit(world);
    SessionAudit sessions = new SessionAudit(world, acknowledgements);
    BackingAudit stored = new BackingAudit(world);
    KeptAudit kept = new KeptAudit(world, stored);
    UseAudit uses = new UseAudit(world);
    return new StandardAudits(
        acknowledgements,
        currency,
        stored,
        uses,
        List.of(
            acknowledgements,
            currency,
            records,
            confirmations,
            leases,
            journals,
            maps,
            promises,
            presence,
            sessions,
            stored,
            kept,
            uses));
  }
}
