package dev.postern.load.proxies;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.util.List;

/** Start of the gateway in the image, in turn with {@code java -version} there; by {@code docker/in-image}. */
final class ImageStart implements Part {
    /** Time to /readyz in the image, as a multiple of java -version there. */
    private static final Goal GOAL = Goal.atMost(6);
    /** Image of {@code docker/build-image}, built by buildah. */
    private static final String IMAGE = "postern:latest";
    /** A start takes a second, so that there is time for more rounds than of the other parts. */
    private static final int ROUNDS_EACH = 4;

    private static final String CONFIG = """
        listeners:
          - {name: web, address: "127.0.0.1:%d"}
        admin: {address: "127.0.0.1:%d"}
        upstreams:
          - {name: app, endpoints: ["127.0.0.1:9"]}
        routes:
          - {upstream: app, token: off}
        """;

    /** Runs within the image, which has no client but the shell. */
    private static final String SCRIPT = """
        now() { echo "${EPOCHREALTIME/./}"; }
        ready() {
          local status=
          { exec 3<>/dev/tcp/127.0.0.1/%1$d; } 2>/dev/null || return 1
          printf 'GET /readyz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3
          read -r status <&3
          exec 3<&-
          [[ $status == *' 200 '* ]]
        }
        for round in $(seq 0 %2$d); do
          start=$(now)
          java -version 2>/dev/null
          version=$(($(now) - start))
          start=$(now)
          $ENTRYPOINT run -c /etc/postern/gateway.yaml >/tmp/log 2>&1 &
          until ready; do
            [ -d /proc/$! ] || { cat /tmp/log >&2; exit 1; }
            sleep 0.002
          done
          ready=$(($(now) - start))
          kill -9 $!
          wait $! 2>/dev/null
          [ "$round" = 0 ] || echo "$version $ready"
        done
        """;

    /** Times of one round. */
    record Times(double versionMillis, double readyMillis) {
        static Times parse(String line) {
            String[] micros = line.split(" ");
            return new Times(Double.parseDouble(micros[0]) / 1e3, Double.parseDouble(micros[1]) / 1e3);
        }

        double ratio() {
            return readyMillis / versionMillis;
        }
    }

    @Override
    public String name() {
        return "image";
    }

    @Override
    public String title() {
        return "start in the image";
    }

    @Override
    public void measure(Pace pace, Table table) {
        List<Times> times = times(pace.rounds() * ROUNDS_EACH);
        table.note("java -version, ms", Interval.of(times, Times::versionMillis))
                .note("time to /readyz, ms", Interval.of(times, Times::readyMillis))
                .goal("time to /readyz / java -version (paired)", Interval.of(times, Times::ratio), GOAL);
    }

    private static List<Times> times(int rounds) {
        int admin = Ports.free();
        try (RunFolder folder = RunFolder.create("start-image")) {
            Path config = folder.write("gateway.yaml", CONFIG.formatted(Ports.free(), admin));
            Progress.say("starting %s %d times", IMAGE, rounds);
            String script = SCRIPT.formatted(admin, rounds);
            return Command.output("docker/in-image --tag " + IMAGE + " --config", config, "bash", "-c", script)
                    .lines()
                    .map(Times::parse)
                    .toList();
        }
    }
}
