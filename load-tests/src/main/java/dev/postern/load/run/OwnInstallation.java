package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Installation that the run starts: all servers on this machine. */
record OwnInstallation(TokenSite site) implements TokenInstallation {
    private static final int WARM_UP = 500;

    /** Starts and warms up the servers. */
    static OwnInstallation start(RunFolder folder) {
        return warmedUp(TokenSite.start(folder), folder);
    }

    /** Starts and warms up the servers, the gateway with a heap that is resident from the start. */
    static OwnInstallation startResident(RunFolder folder) {
        return warmedUp(TokenSite.startResident(folder), folder);
    }

    private static OwnInstallation warmedUp(TokenSite site, RunFolder folder) {
        OwnInstallation installation = new OwnInstallation(site);
        installation.warmUp(folder);
        return installation;
    }

    /**
     * Warms up the gateway, because a JVM misses deadlines in its first seconds; the responses to these redemptions are
     * not checked.
     */
    private void warmUp(RunFolder folder) {
        Path tokens = site.mint(WARM_UP);
        Progress.say("warming up with " + WARM_UP + " redemptions");
        try (Worker visitors = Worker.start(folder, Cores.ANY, RedeemWorker.class, site.port(), tokens)) {
            visitors.ask("token 100 " + WARM_UP);
        }
        visits();
    }

    @Override
    public String url() {
        return site.url();
    }

    @Override
    public String tlsUrl() {
        return "https://localhost:" + site.tlsPort();
    }

    @Override
    public Path tokens(int count) {
        return site.mint(count);
    }

    @Override
    public Path stream(int count) {
        return site.stream(count);
    }

    @Override
    public OptionalLong process() {
        return OptionalLong.of(site.gateway().pid());
    }

    /**
     * Returns the final number of requests: nginx logs a line after the response has left, so the count must have
     * stopped growing.
     */
    @Override
    public OptionalInt visits() {
        int last = -1;
        int current = site.origin().visits().size();
        while (current != last) {
            last = current;
            Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(500));
            current = site.origin().visits().size();
        }
        return OptionalInt.of(current);
    }

    @Override
    public Optional<URI> metrics() {
        return Optional.of(URI.create("http://127.0.0.1:" + site.adminPort() + "/metrics"));
    }
}
