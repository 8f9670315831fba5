package dev.postern.load.authorize;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Pace;
import dev.postern.load.proxies.Part;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.ServerContender;
import dev.postern.load.proxies.Turn;
import dev.postern.load.server.Cores;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import java.util.List;
import java.util.Map;

/**
 * Latency part: what a question adds to the latency of a page through nginx. The other questions are answered by {@code return 200}: by another
 * nginx, which nginx asks over kept-alive connections as it asks the gateway, or by the same nginx without a connection.
 */
record LatencyPart() implements Part {
    static final String NONE = "no question";
    static final String ITSELF = "return 200, same nginx";
    static final String OTHER = "return 200, other nginx";
    static final String GATEWAY = "gateway";

    private static final Goal TWICE = Goal.atMost(2);

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public String title() {
        return "latency of a page through nginx, 128 B, one connection";
    }

    @Override
    public void measure(Pace pace, Table table) {
        try (RunFolder folder = RunFolder.create("authorize-" + name())) {
            AskedSite site = AskedSite.start(folder);
            List<Contender> contenders = contenders(site);
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            Alternation alternation = new Alternation(name(), pace);
            alternation.take(contenders);
            addTo(table, alternation.rounds());
        }
    }

    private static List<Contender> contenders(AskedSite site) {
        NginxPage page = NginxPage.read();
        Nginx gateway = site.front("nginx", page, site.questions());
        AskedSite.check(gateway.port(), site.session());
        int allowing = Ports.free();
        Nginx.serving(site.folder(), "allowing", Cores.MEASURED, allowing, """
              server {
                listen 127.0.0.1:%d;
                location / { return 200; }
              }
            """.formatted(allowing));
        return List.of(
                page(site, NONE, site.front("nginx-none", page.silent(), site.questions())),
                page(site, ITSELF, site.front("nginx-itself", page.allowing(), site.questions())),
                page(site, OTHER, site.front("nginx-other", page, allowing)),
                page(site, GATEWAY, gateway));
    }

    private static Contender page(AskedSite site, String name, Nginx nginx) {
        return ServerContender.underWrk(
                name, List.of(nginx.process()), AskedSite.uri(nginx.port()), 1, AskedSite.HOST, site.session());
    }

    static void addTo(Table table, Rounds rounds) {
        for (String name : List.of(NONE, ITSELF, OTHER, GATEWAY)) {
            table.note(name + ": p50 us", rounds.of(name, Turn::typical));
        }
        Interval ratio = Interval.of(rounds.all(), LatencyPart::addedRatio);
        table.goal("p50 that the question adds, gateway / other nginx (paired)", ratio, TWICE);
        Interval whole = rounds.paired(GATEWAY, ITSELF, Turn::typical, (a, b) -> a / b);
        table.goal("p50 of the page, gateway / same nginx (paired)", whole, TWICE);
    }

    /** Returns infinity for a round in which the other question added nothing: such a round says nothing for the gateway. */
    private static double addedRatio(Map<String, Turn> round) {
        double other = added(round, OTHER);
        return other > 0 ? added(round, GATEWAY) / other : Double.POSITIVE_INFINITY;
    }

    /** Returns the microseconds that a page takes longer than one without question. */
    private static double added(Map<String, Turn> round, String name) {
        return Known.in(round, "contender", name).typical()
                - Known.in(round, "contender", NONE).typical();
    }
}
