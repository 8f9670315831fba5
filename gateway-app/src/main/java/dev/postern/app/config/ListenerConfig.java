package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Key;
import dev.postern.core.headers.ClientClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One address where clients connect. */
public record ListenerConfig(
        @Key(example = "web", says = "Its name in log and meters.")
        String name,

        @Key(example = "0.0.0.0:8080", says = "Where to listen; port 0 takes a free one.")
        HostPort address,

        @Key(
                or = "reverse",
                says = "`reverse`: in front of a site (401). `forward`: on the way out (407, CONNECT, absolute-form).")
        Mode mode,

        @Key(or = "[h1, h2]", says = "Protocols spoken: `h1`; `h2` by ALPN over TLS and by prior knowledge without.")
        List<Protocol> protocols,

        @Key(
                or = "[]",
                says =
                        "Address ranges whose Forwarded, X-Forwarded-For, -Proto, -Host and -Port and PROXY protocol are believed.")
        List<String> trustedProxies,

        @Key(
                or = "[]",
                says =
                        "Fields that trusted proxies may send beyond those, such as X-Forwarded-Prefix; from anybody else they are"
                                + " [withheld](request.md#out).")
        List<String> trustedFields,

        @Key(
                or = "off",
                says = "`required`: only `trusted-proxies` may connect, and begin with a header of the PROXY protocol"
                        + " (version 1 or 2) that says who the client is.")
        ProxyProtocol proxyProtocol,

        @Key(or = "null", says = "Overrides `transport.congestion-control` for accepted connections.") @Nullable
        String congestionControl,

        @Key(
                or = "null",
                example = "default",
                says = "Name of the rules in `forward`; only and always in mode forward.")
        @Nullable
        String forward,

        @Key(
                or = "null",
                says = "How a forward listener calls itself in challenges, instead of `privacy-pass.origin-names`.")
        @Nullable
        String originName,

        @Key(
                or = "false",
                says = "Whether responses tell in `Server-Timing` how long each stage took. For listeners inside: it"
                        + " lets a stranger see what a token was found to be.")
        boolean serverTiming,

        @Key(or = "null", says = "Certificates; without them the listener speaks plain text.") @Nullable
        Tls tls) {

    public ListenerConfig {
        protocols = List.copyOf(protocols);
        trustedProxies = List.copyOf(trustedProxies);
        trustedFields = List.copyOf(trustedFields);
        Checks checks = Checks.of().name("name", name);
        Ranges.check(checks, "trusted-proxies", trustedProxies);
        for (int i = 0; i < trustedFields.size(); i++) {
            String field = trustedFields.get(i);
            checks.that(
                    ClientClaims.contains(field),
                    "trusted-fields." + i,
                    field,
                    "a field that is withheld otherwise, such as X-Forwarded-Prefix");
        }
        checks.that(!protocols.isEmpty(), "protocols", protocols, "at least one of h1, h2");
        checks.that(mode != Mode.FORWARD || forward != null, "forward", "nothing", "the name of rules in forward:");
        checks.that(
                mode != Mode.REVERSE || forward == null, "forward", forward + "", "mode: forward, or no rules for it");
        checks.that(
                proxyProtocol == ProxyProtocol.OFF || !trustedProxies.isEmpty(),
                "proxy-protocol",
                proxyProtocol,
                "off, or trusted-proxies that send it");
        checks.that(
                originName == null || PrivacyPassConfig.isOriginName(originName),
                "origin-name",
                originName + "",
                "a host name in lower case");
        TransportConfig.checkCongestionControl(checks, congestionControl);
        checks.done();
    }

    /** What a listener is for. */
    public enum Mode {
        REVERSE,
        FORWARD
    }

    /** What clients may speak. */
    public enum Protocol {
        H1,
        H2
    }

    /** Whether a load balancer tells the client's address first. */
    public enum ProxyProtocol {
        OFF,
        REQUIRED
    }

    /** Certificates of a listener. */
    public record Tls(
            @Key(
                    example = "[{certificate-file: tls.crt, private-key-file: tls.key}]",
                    says = "Certificate chains with their keys. Shown is the one with the name that the client asks"
                            + " for, then one with `*.` for its first label, then the first. Files that change are"
                            + " read again within 10 s.")
            List<Certificate> certificates,

            @Key(or = "null", says = "Clients must show a certificate that one of these issued (PEM).") @Nullable
            String clientCaFile,

            @Key(
                    or = "TLSv1.2",
                    says = "`TLSv1.2` or `TLSv1.3`. Of TLSv1.2 only ECDHE with AES-GCM or ChaCha20-Poly1305, and no"
                            + " renegotiation.")
            String minVersion) {

        public Tls {
            certificates = List.copyOf(certificates);
            Checks.of()
                    .that(!certificates.isEmpty(), "certificates", certificates, "at least one certificate")
                    .that(
                            minVersion.equals("TLSv1.2") || minVersion.equals("TLSv1.3"),
                            "min-version",
                            minVersion,
                            "TLSv1.2 | TLSv1.3")
                    .done();
        }
    }

    /** One certificate chain and its key. */
    public record Certificate(
            @Key(example = "tls.crt", says = "PEM file of the chain, leaf first.")
            String certificateFile,

            @Key(example = "tls.key", says = "PEM file of the key (PKCS#8).")
            String privateKeyFile) {}
}
