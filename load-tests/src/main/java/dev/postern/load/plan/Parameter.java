package dev.postern.load.plan;

import java.util.Arrays;
import java.util.List;

/** Parameter of simulations, set by {@code -DNAME=VALUE}. */
public enum Parameter {
    GATEWAY_URL(
            "gateway.url",
            "http://127.0.0.1:8080",
            "all",
            "Scheme, host and port of the gateway; `load-tests/run` sets it."),
    TOKEN_FILE(
            "tokenFile",
            "tokens.txt",
            "all but WaitingRoom",
            "Tokens, one a line, as `postern mint` writes them; `load-tests/run` sets it. Tunnels need none if the file does not exist."),
    PATH("path", "/", "all", "Path of the requests. Its route requires tokens, for WaitingRoom it has a fair queue."),
    USERS("users", "20", "Smoke", "Users, all at once; at most one per token."),
    RATE("rate", "500", "Steady, DoubleSpend", "Requests per second."),
    EXPECT("expect", "200", "Steady", "Status of every response."),
    P99("p99", "1000", "Steady, Tunnel, UdpTunnel", "Highest p99, ms; of tunnels: of a round trip."),
    MAX_UNKNOWN(
            "maxUnknown",
            "1",
            "Steady",
            "Highest share of 503 responses, %; each such token is sent again after a second."),
    COPIES("copies", "16", "DoubleSpend", "Copies of each token, sent at the same moment."),
    FROM("from", "100", "Ramp", "Arrivals per second of the first level."),
    STEP("step", "100", "Ramp", "Arrivals per second that each level adds."),
    LEVELS("levels", "6", "Ramp", "Number of levels."),
    LEVEL_SECONDS("levelSeconds", "5", "Ramp", "Seconds of a level."),
    WARM_UP_SECONDS(
            "warmUpSeconds",
            "5",
            "Ramp",
            "Seconds at the first rate before the first level, for the JVM that sends; not judged."),
    AT_LEAST("atLeast", "0", "Ramp", "Capacity that the run requires, arrivals per second; 0: none."),
    CALM("calm", "50", "Spike", "Arrivals per second before and after the peak."),
    CALM_SECONDS("calmSeconds", "10", "Spike", "Seconds of each calm phase."),
    PEAK("peak", "500", "Spike", "Arrivals per second of the peak."),
    PEAK_SECONDS("peakSeconds", "5", "Spike", "Seconds of the peak."),
    LIMIT_P99("limitP99", "250", "Ramp", "Highest p99 within the capacity, ms."),
    LIMIT_FAILED(
            "limitFailed",
            "1",
            "Ramp, Spike",
            "Highest share of failed requests, %: of a level within the capacity; before and after a peak."),
    MINUTES("minutes", "60", "Soak", "Minutes of arrivals; the first 20, or the first third, are a warm-up."),
    CONSTANT("constant", "100", "Soak", "Arrivals per second after the warm-up."),
    WARM_UP_RATE(
            "warmUpRate",
            "500",
            "Soak",
            "Arrivals per second of the warm-up. The more requests it has, the less code the JIT compilers add after it."),
    PHASES_FILE("phasesFile", "", "Ramp, Spike, Soak", "File for the figures of each phase; `load-tests/run` sets it."),
    SECONDS("seconds", "20", "WaitingRoom, ForgedFlood, Tunnel, UdpTunnel, Http2, Tls", "Seconds of arrivals."),
    VISITORS("visitors", "5", "WaitingRoom", "Visitors per second; more than the room admits, so that they queue."),
    ACTIVE("active", "8", "WaitingRoom", "Sessions that the room admits at once."),
    ASSETS("assets", "5", "WaitingRoom", "Requests of each visitor after its page."),
    PATIENCE(
            "patience",
            "180",
            "WaitingRoom",
            "Seconds after which a visitor that still waits gives up, which is a failure."),
    TUNNELS("tunnels", "10", "Tunnel, UdpTunnel", "New tunnels per second."),
    ROUND_TRIPS("roundTrips", "20", "Tunnel, UdpTunnel", "Messages through each tunnel, 10 per second, each echoed."),
    BYTES("bytes", "200", "Tunnel, UdpTunnel", "Bytes of a message."),
    DESTINATION(
            "destination",
            "127.0.0.1:7007",
            "Tunnel, UdpTunnel",
            "Server that sends back what it receives, by TCP or UDP; `load-tests/run` starts one for servers of its own."),
    VALID("valid", "20", "ForgedFlood", "Valid tokens per second."),
    FORGED("forged", "200", "ForgedFlood", "Forged tokens per second, beside the valid ones."),
    FORGED_FILE("forgedFile", "forged.txt", "ForgedFlood", "Forged tokens, one a line; `load-tests/run` sets it."),
    FORGED_ADDRESS(
            "forgedAddress",
            "",
            "ForgedFlood",
            "Local address of the forger. Without it, forgeries also use up the failure budget of the valid clients."),
    CONNECTIONS("connections", "25", "Http2, Tls", "New connections per second, each with one token."),
    STREAMS("streams", "4", "Http2", "Concurrent requests without token beside each token, on the same connection.");

    private final String key;
    private final String otherwise;
    private final String simulations;
    private final String meaning;

    Parameter(String key, String otherwise, String simulations, String meaning) {
        this.key = key;
        this.otherwise = otherwise;
        this.simulations = simulations;
        this.meaning = meaning;
    }

    /** Returns the name of the system property. */
    public String key() {
        return key;
    }

    /** Returns the default. */
    public String otherwise() {
        return otherwise;
    }

    /** Returns the parameters of one simulation. */
    public static List<Parameter> of(String simulation) {
        return Arrays.stream(values())
                .filter(parameter -> parameter.appliesTo(simulation))
                .toList();
    }

    private boolean appliesTo(String simulation) {
        return simulations.startsWith("all")
                ? !simulations.endsWith(" " + simulation)
                : Arrays.asList(simulations.split(", ")).contains(simulation);
    }

    /** Returns the row of the table in the docs. */
    public String row() {
        return "| `" + key + "` | " + simulations + " | " + (otherwise.isEmpty() ? "" : "`" + otherwise + "`") + " | "
                + meaning + " |";
    }
}
