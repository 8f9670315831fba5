package dev.postern.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.demo.DemoPorts.Part;
import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.core.pipeline.Stages;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Demo: issuer, sample site, echo socket, gateway, and a proxy that asks it, in this process on loopback. */
public final class Demo implements AutoCloseable {

    private static final String NAME = "demo.yaml";

    private final DevelopmentIssuer issuer;
    private final SampleOrigin origin;
    private final EchoSocket echo;
    private final Gateway gateway;
    private final AskingProxy proxy;
    private final ExchangeLines lines;

    private Demo(
            DevelopmentIssuer issuer,
            SampleOrigin origin,
            EchoSocket echo,
            Gateway gateway,
            AskingProxy proxy,
            ExchangeLines lines) {
        this.issuer = issuer;
        this.origin = origin;
        this.echo = echo;
        this.gateway = gateway;
        this.proxy = proxy;
        this.lines = lines;
    }

    /** Settings of a demo. */
    public record Wish(DemoPorts ports, UnaryOperator<Stages> variation, Consumer<String> exchangeLines) {

        /** Returns the settings of a demo that stays up, with its exchange log shown. */
        public static Wish toStay(DemoPorts ports, Consumer<String> out) {
            return new Wish(ports, UnaryOperator.identity(), out);
        }

        /** Returns the settings of a demo that runs its scenarios once. */
        public static Wish once(DemoPorts ports) {
            return new Wish(ports, UnaryOperator.identity(), line -> {});
        }
    }

    /** Starts issuer, site, echo socket and gateway. */
    public static Demo start(Wish wish) throws IOException {
        DevelopmentIssuer issuer =
                DevelopmentIssuer.start(wish.ports().of(Part.ISSUER), Duration.ofMinutes(5), InstantSource.system());
        try {
            SampleOrigin origin = new SampleOrigin(wish.ports().of(Part.SITE));
            try {
                return start(
                        wish,
                        issuer,
                        origin,
                        EchoSocket.start(wish.ports().of(Part.ECHO).getPort()));
            } catch (IOException | RuntimeException e) {
                origin.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            issuer.close();
            throw e;
        }
    }

    private static Demo start(Wish wish, DevelopmentIssuer issuer, SampleOrigin origin, EchoSocket echo)
            throws IOException {
        try {
            ExchangeLines lines = new ExchangeLines(wish.exchangeLines());
            Gateway gateway = Gateway.start(load(wish, issuer, origin, echo), wish.variation(), lines);
            try {
                AskingProxy proxy = new AskingProxy(
                        wish.ports().of(Part.PROXY),
                        gateway.listener("questions").getPort(),
                        origin.port());
                return new Demo(issuer, origin, echo, gateway, proxy, lines);
            } catch (IOException | RuntimeException e) {
                gateway.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            echo.close();
            throw e;
        }
    }

    private static LoadedConfig load(Wish wish, DevelopmentIssuer issuer, SampleOrigin origin, EchoSocket echo)
            throws IOException {
        try (InputStream yaml = Demo.class.getResourceAsStream("/" + NAME)) {
            if (yaml == null) {
                throw new IOException(NAME + ": missing (expected: in the jar)");
            }
            List<String> flags = List.of(
                    "listeners.web.address=" + text(wish.ports().of(Part.WEB)),
                    "listeners.way-out.address=" + text(wish.ports().of(Part.FORWARD)),
                    "listeners.questions.address=" + text(wish.ports().of(Part.QUESTIONS)),
                    "admin.address=" + text(wish.ports().of(Part.ADMIN)),
                    "privacy-pass.issuers.issuer.directory=" + issuer.directoryUri(),
                    "privacy-pass.issuers.issuer.name=" + issuer.name(),
                    "upstreams.site.endpoints=[\"" + origin.address() + "\"]",
                    "forward.default.allow-ports=[" + origin.port() + "]",
                    "forward.default.udp.allow-ports=[" + echo.port() + "]");
            LoadedConfig config =
                    new ConfigReader(Map.of(), flags).read(NAME, new String(yaml.readAllBytes(), UTF_8), Path.of(""));
            if (!config.good()) {
                throw new IllegalStateException(NAME + ": " + config.problems());
            }
            return config;
        }
    }

    private static String text(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
    }

    /** Returns commands to try, ready to paste. */
    public List<String> whatToTry() {
        String web = "http://" + text(gateway.listener("web"));
        String out = text(gateway.listener("way-out"));
        String page = "http://" + origin.address() + "/";
        String admin = "http://" + text(gateway.admin());
        return List.of(
                "",
                "Postern is up: the site at " + web + "/, the forward proxy at " + out + ", the issuer at "
                        + issuer.name() + ".",
                "Ledger and rooms are in memory; the key ring is random and ends with this process. To try:",
                "",
                "  # without a token: a challenge",
                "  curl -i " + web + "/",
                "  # with a token: the page; -v shows each step",
                "  ./postern fetch -v " + web + "/",
                "  # a token of your own, and its second use",
                "  T=$(./postern mint " + web
                        + "/); for i in 1 2; do curl -si -H \"Authorization: PrivateToken token=\\\"$T\\\"\" " + web
                        + "/ | head -n 1; done",
                "  # a full site: one client is admitted for 20 s, after the free visit of the hour; others get a place",
                "  for i in 1 2 3 4; do curl -s " + web + "/shop; done",
                "  # the same in a browser, at once: first the waiting room, then the shop: " + web + "/shop",
                "  # a route without tokens",
                "  curl -i " + web + "/open",
                "  # the forward proxy: a tunnel for a token",
                "  ./postern fetch -v --proxy " + out + " " + page,
                "  # a UDP tunnel: each line is a datagram, and the destination returns it",
                "  echo hello | ./postern fetch -v --proxy " + out + " --udp 127.0.0.1:" + echo.port(),
                "  # another proxy, which asks the gateway and forwards by itself",
                "  ./postern fetch -v http://127.0.0.1:" + proxy.port() + "/asked",
                "  # a port that is not allowed",
                "  ./postern fetch -v --proxy " + out + " http://127.0.0.1:25/",
                "  # the admin address; the live page for browsers is " + admin + "/",
                "  curl -s " + admin + "/readyz; curl -s " + admin
                        + "/metrics | grep ^postern_; ./postern context --admin " + text(gateway.admin()),
                "",
                "Ctrl-C ends the demo. The exchange log follows.",
                "");
    }

    /** Runs all scenarios once. */
    public StepLog once(Consumer<StepLog.Step> each) throws InterruptedException {
        StepLog log = new StepLog(each);
        ClientScenario.Addresses addresses = new ClientScenario.Addresses(
                text(gateway.listener("web")), gateway.listener("way-out"), "127.0.0.1:" + proxy.port());
        new ClientScenario(addresses, origin, echo, lines).run(log);
        return log;
    }

    @Override
    public void close() {
        proxy.close();
        gateway.close();
        origin.close();
        echo.close();
        issuer.close();
    }
}
