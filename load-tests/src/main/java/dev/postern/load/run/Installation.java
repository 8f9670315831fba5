package dev.postern.load.run;

import dev.postern.load.measure.MetricsPage;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/** Installation under load: a gateway. */
interface Installation {
    /** Returns scheme, host and port of the gateway. */
    String url();

    /** Returns the address of the gateway's own figures, if it is known. */
    Optional<URI> metrics();

    /** Reads the gateway's own figures, if their address is known. */
    default Optional<MetricsPage> page() {
        return metrics().map(MetricsPage::read);
    }

    /** Starts to sample the gateway. */
    default Sampler sampler(SampleTimes times) {
        return new Sampler(metrics().orElse(null), process().orElse(0), times);
    }

    /** Returns the process of the gateway, if it is on this machine. */
    OptionalLong process();
}
