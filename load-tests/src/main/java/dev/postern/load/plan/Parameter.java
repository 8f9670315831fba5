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
            "all",
            "Tokens, one a line, as `postern mint` writes them; `load-tests/run` sets it."),
    PATH("path", "/", "all", "Path of the requests. Its route requires tokens."),
    USERS("users", "20", "Smoke", "Users, all at once; at most one per token."),
    RATE("rate", "500", "Steady, DoubleSpend", "Requests per second."),
    EXPECT("expect", "200", "Steady", "Status of every response."),
    P99("p99", "1000", "Steady", "Highest p99, ms."),
    MAX_UNKNOWN(
            "maxUnknown",
            "1",
            "Steady",
            "Highest share of 503 responses, %; each such token is sent again after a second."),
    COPIES("copies", "16", "DoubleSpend", "Copies of each token, sent at the same moment.");

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
                .filter(parameter -> parameter.simulations.equals("all")
                        || Arrays.asList(parameter.simulations.split(", ")).contains(simulation))
                .toList();
    }

    /** Returns the row of the table in the docs. */
    public String row() {
        return "| `" + key + "` | " + simulations + " | " + (otherwise.isEmpty() ? "" : "`" + otherwise + "`") + " | "
                + meaning + " |";
    }
}
