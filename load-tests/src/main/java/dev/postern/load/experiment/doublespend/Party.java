package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.SentSegments;
import dev.postern.load.measure.TimerScrape;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;

/** Party of the experiment: a gateway with one client of memcached, its servers, and the visitors that send tokens. */
final class Party implements AutoCloseable {
    private static final String TIMER = "postern_spend_seconds";

    private final TokenSite site;
    private final Worker visitors;

    private Party(TokenSite site, Worker visitors) {
        this.site = site;
        this.visitors = visitors;
    }

    static Party start(RunFolder folder, String client, int tokens) {
        TokenSite site = TokenSite.startPinned(RunFolder.at(folder.folder(client)), client);
        try {
            Path file = site.mint(tokens);
            String port = String.valueOf(site.port());
            return new Party(site, Worker.start(folder, Cores.LOAD, RedeemWorker.class, port, file.toString()));
        } catch (RuntimeException e) {
            site.close();
            throw e;
        }
    }

    /** Returns the port of the ledger. */
    int memcached() {
        return site.memcached().port();
    }

    GatewayTurn turn(int rate, int calls) {
        TimerScrape timer = TimerScrape.read(site.adminPort(), TIMER);
        long segments = SentSegments.to(memcached());
        Latencies outside = Latencies.parse(visitors.ask("token " + rate + " " + calls));
        return new GatewayTurn(
                TimerScrape.read(site.adminPort(), TIMER).since(timer),
                outside,
                SentSegments.to(memcached()) - segments);
    }

    @Override
    public void close() {
        visitors.close();
        site.close();
    }
}
