package dev.postern.load.authorize;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Pace;
import dev.postern.load.proxies.Part;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.ServerContender;
import dev.postern.load.proxies.Turn;
import dev.postern.load.server.Nginx;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cost part: CPU time of the gateway per question of nginx, beside a request that it forwards itself, and beside a question to oauth2-proxy.
 *
 * @param peer program of oauth2-proxy; null: not measured
 */
record CostPart(@Nullable Path peer) implements Part {
    static final String FORWARDED = "request, gateway alone";
    static final String BEHIND = "request behind nginx, gateway";
    static final String QUESTION = "question, gateway";
    static final String DIRECT = "question of wrk, gateway";
    static final String BOTH = "request, nginx + gateway";
    static final String PEER = "question, oauth2-proxy";

    /** No more than nginx keeps open to the server that it asks. */
    private static final int CONNECTIONS = 32;

    private static final Goal OVER_FORWARDED = Goal.atMost(0.6);
    private static final Goal OVER_PEER = Goal.atMost(0.5);

    @Override
    public String name() {
        return "cost";
    }

    @Override
    public String title() {
        return "CPU per question, 128 B, " + CONNECTIONS + " connections";
    }

    @Override
    public void measure(Pace pace, Table table) {
        try (RunFolder folder = RunFolder.create("authorize-" + name())) {
            AskedSite site = AskedSite.start(folder);
            List<Contender> contenders = contenders(site);
            contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
            Alternation alternation = new Alternation(name(), pace);
            alternation.take(contenders);
            contenders.forEach(contender -> note(table, contender.name(), alternation.rounds()));
            addTo(table, alternation.rounds());
            if (peer != null) {
                table.note(
                        "peer",
                        Command.output(peer + " --version").lines().findFirst().orElse(""));
            }
        }
    }

    private List<Contender> contenders(AskedSite site) {
        NginxPage page = NginxPage.read();
        Nginx nginx = site.front("nginx", page, site.questions());
        AskedSite.check(nginx.port(), site.session());
        Nginx behind = site.before();
        AskedSite.check(behind.port(), site.session());
        List<Contender> all = new ArrayList<>(List.of(
                load(FORWARDED, List.of(site.gateway()), site.port(), site.session()),
                ServerContender.underWrk(
                        DIRECT,
                        List.of(site.gateway()),
                        AskedSite.uri(site.questions()),
                        CONNECTIONS,
                        AskedSite.question(site.session())),
                load(BEHIND, List.of(site.gateway()), behind.port(), site.session()),
                load(QUESTION, List.of(site.gateway()), nginx.port(), site.session()),
                load(BOTH, List.of(nginx.process(), site.gateway()), nginx.port(), site.session())));
        if (peer != null) {
            OAuth2Proxy other = OAuth2Proxy.start(site.folder(), peer);
            Nginx front = site.front("nginx-oauth2-proxy", page.asking(OAuth2Proxy.QUESTION), other.port());
            AskedSite.check(front.port(), other.session());
            all.add(load(PEER, List.of(other.process()), front.port(), other.session()));
        }
        return all;
    }

    private static Contender load(String name, List<ServerProcess> measured, int port, String cookie) {
        return ServerContender.underWrk(name, measured, AskedSite.uri(port), CONNECTIONS, AskedSite.HOST, cookie);
    }

    private static void note(Table table, String name, Rounds rounds) {
        table.note(name + ": CPU us", rounds.of(name, Turn::cpuMicros));
        table.note(name + ": per second", rounds.of(name, Turn::perSecond));
    }

    void addTo(Table table, Rounds rounds) {
        table.goal("CPU, question / request, gateway (paired)", ratio(rounds, QUESTION, FORWARDED), OVER_FORWARDED);
        table.note("CPU, question / request behind nginx, gateway (paired)", ratio(rounds, QUESTION, BEHIND));
        table.note("CPU, question of wrk / request, gateway (paired)", ratio(rounds, DIRECT, FORWARDED));
        table.note("CPU of a request, nginx + gateway / gateway alone (paired)", ratio(rounds, BOTH, FORWARDED));
        String figure = "CPU of a question, gateway / oauth2-proxy (paired)";
        if (peer == null) {
            table.notMeasured(figure, "no --peer", OVER_PEER);
        } else {
            table.goal(figure, ratio(rounds, QUESTION, PEER), OVER_PEER);
        }
    }

    private static Interval ratio(Rounds rounds, String one, String other) {
        return rounds.paired(one, other, Turn::cpuMicros, (a, b) -> a / b);
    }
}
