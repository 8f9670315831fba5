package dev.postern.load.plan;

import java.util.function.ToIntFunction;

/** Simulation of Gatling, with what its run needs and expects. */
public enum Simulation {
    Smoke(20, Reach.EACH_TOKEN_ONCE),
    Steady(10_000, Reach.EACH_TOKEN_ONCE),
    DoubleSpend(200, Reach.EACH_TOKEN_ONCE),
    Ramp(settings -> Phases.ramp(settings).users(), Reach.NO_TOKEN_TWICE),
    Spike(settings -> Phases.spike(settings).users(), Reach.NO_TOKEN_TWICE),
    Soak(settings -> Phases.soak(settings).users(), Reach.EACH_TOKEN_ONCE),
    WaitingRoom(0, Reach.NO_TOKEN_TWICE),
    ForgedFlood(
            settings -> settings.number(Parameter.VALID) * settings.number(Parameter.SECONDS), Reach.EACH_TOKEN_ONCE),
    Http2(
            settings -> settings.number(Parameter.CONNECTIONS) * settings.number(Parameter.SECONDS),
            Reach.EACH_TOKEN_ONCE),
    Tls(settings -> settings.number(Parameter.CONNECTIONS) * settings.number(Parameter.SECONDS), Reach.EACH_TOKEN_ONCE),
    Tunnel(0, Reach.NO_TOKEN_TWICE),
    UdpTunnel(0, Reach.NO_TOKEN_TWICE);

    /** Requests that reach the upstream. */
    public enum Reach {
        EACH_TOKEN_ONCE("exactly "),
        /** Load above the capacity: some requests are refused. */
        NO_TOKEN_TWICE("at most ");

        private final String word;

        Reach(String word) {
            this.word = word;
        }

        public String goal(int tokens) {
            return word + tokens;
        }

        public boolean met(int reached, int tokens) {
            return this == EACH_TOKEN_ONCE ? reached == tokens : reached <= tokens;
        }
    }

    private final ToIntFunction<Settings> tokens;
    private final Reach reach;

    Simulation(int tokens, Reach reach) {
        this(settings -> tokens, reach);
    }

    Simulation(ToIntFunction<Settings> tokens, Reach reach) {
        this.tokens = tokens;
        this.reach = reach;
    }

    /** Returns the number of tokens that the simulation spends with these settings. */
    public int tokens(Settings settings) {
        return tokens.applyAsInt(settings);
    }

    /** Returns whether the simulation redeems tokens at an upstream that counts requests. */
    public boolean redeems() {
        return this != WaitingRoom && !tunnels();
    }

    /** Returns whether the simulation opens tunnels through a forward listener. */
    public boolean tunnels() {
        return this == Tunnel || this == UdpTunnel;
    }

    /** Returns whether the simulation needs a listener with TLS. */
    public boolean tls() {
        return this == Http2 || this == Tls;
    }

    public Reach reach() {
        return reach;
    }
}
