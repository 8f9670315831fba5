package dev.postern.app.admin.endpoint;

import dev.postern.app.admin.HealthSource;
import dev.postern.app.context.ContextItem;
import dev.postern.app.context.ContextWatch;
import dev.postern.auth.Auth;
import dev.postern.auth.key.IssuerStatus;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.tls.certificate.CertificateExpiry;
import dev.postern.ratelimit.RateLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Health of the parts of the process, with details for operators. Never blocks; thread-safe. */
public final class PartHealth {

    private final SpendLedger ledger;
    private final Auth auth;
    private final RateLimits limits;
    private final CertificateExpiry certificates;
    private final ContextWatch context;

    public PartHealth(
            SpendLedger ledger, Auth auth, RateLimits limits, CertificateExpiry certificates, ContextWatch context) {
        this.ledger = ledger;
        this.auth = auth;
        this.limits = limits;
        this.certificates = certificates;
        this.context = context;
    }

    /** Returns the sources by name of the part. */
    public Map<String, HealthSource.Source> sources() {
        return Map.of(
                "ledger",
                this::ledger,
                "keys",
                this::keys,
                "rooms",
                this::rooms,
                "certificates",
                this::certificates,
                "context",
                this::contextDrifts);
    }

    private HealthSource ledger() {
        LedgerHealth health = ledger.health();
        return new HealthSource(health.healthy(), health.stores());
    }

    private HealthSource keys() {
        List<IssuerStatus> all = auth.issuers();
        Map<String, String> issuers = new LinkedHashMap<>();
        for (IssuerStatus status : all) {
            long good = status.keys().stream().filter(k -> !k.dropped()).count();
            String state = good + (good == 1 ? " key" : " keys");
            String skipped =
                    status.skipped().isEmpty() ? "" : "; " + status.skipped().size() + " skipped entries";
            String problem = status.problem().isEmpty() ? "" : "; " + status.problem();
            issuers.put(status.issuer(), state + skipped + problem);
        }
        return new HealthSource(all.isEmpty() || auth.hasKeys(), issuers);
    }

    private HealthSource rooms() {
        Map<String, Object> details = new LinkedHashMap<>(limits.stores());
        details.put("rooms", limits.state().size());
        return new HealthSource(limits.healthy(), details);
    }

    /** Lists expired certificates. Whether load balancers and clients reject them is not known here. */
    private HealthSource certificates() {
        Map<String, String> expired = certificates.expired();
        return new HealthSource(expired.isEmpty(), expired);
    }

    /** Lists context items that differ from the wanted value, with advice. A drift is never a reason to send traffic elsewhere. */
    private HealthSource contextDrifts() {
        Map<String, String> drifts = new LinkedHashMap<>();
        for (ContextItem item : context.last()) {
            if (item.drifted()) {
                drifts.put(item.item(), item.found() + " (wanted: " + item.wanted() + "). " + item.advice());
            }
        }
        return new HealthSource(drifts.isEmpty(), drifts);
    }
}
