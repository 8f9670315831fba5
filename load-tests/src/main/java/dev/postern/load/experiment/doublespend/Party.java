package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.SentSegments;
import dev.postern.load.measure.TimerScrape;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;

/** Party of the experiment: a gateway with one client of memcached, its servers, and the visitors that send tokens. */
record Party(TokenSite site, Worker visitors) {
    private static final String TIMER = "postern_spend_seconds";

    static Party start(RunFolder folder, String client, int tokens) {
        TokenSite site = TokenSite.startPinned(folder.part(client), client);
        return new Party(site, Worker.start(folder, Cores.LOAD, RedeemWorker.class, site.port(), site.mint(tokens)));
    }

    /** Returns the port of the ledger. */
    int memcached() {
        return site.memcached().port();
    }

    GatewayTurn turn(int rate, int calls) {
        TimerScrape timer = TimerScrape.read(site.adminPort(), TIMER);
        long segments = SentSegments.to(memcached());
        Latencies outside = visitors.ask("token " + rate + " " + calls, Latencies.class);
        return new GatewayTurn(
                TimerScrape.read(site.adminPort(), TIMER).since(timer),
                outside,
                SentSegments.to(memcached()) - segments);
    }
}
