package dev.postern.core.exchange;

import java.util.Locale;

/** The stages of one exchange in the order in which its time is accounted; the names are those of the docs, the log and the meters. */
public enum StageName {
    /** From the first byte of the head to its last: nothing when they came together. */
    RECEIVE(Party.CLIENT),
    MATCH(Party.GATEWAY),
    IDENTIFY(Party.GATEWAY),
    VERIFY(Party.GATEWAY),
    ADMIT(Party.ROOM),
    /** Waiting until the exchanges before it on its connection let it go on. */
    TURN(Party.CLIENT),
    SPEND(Party.LEDGER),
    /** Getting an upstream connection by waiting for one or by connecting: nothing when the pool lent one at once. */
    CONNECT(Party.UPSTREAM),
    /** From the request being written to the first byte of the response. */
    RESPOND(Party.UPSTREAM),
    /** From the first byte of the response to the last one being written. */
    SEND(Party.TRANSFER);

    /** Whom a stage waits for. */
    public enum Party {
        CLIENT,
        GATEWAY,
        ROOM,
        LEDGER,
        UPSTREAM,
        /** A response on its way: the upstream that sends it or the client that takes it, whoever is slower. */
        TRANSFER;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** The name as it stands in the log. */
        public String label() {
            return label;
        }
    }

    private final String label = name().toLowerCase(Locale.ROOT);
    private final Party party;

    StageName(Party party) {
        this.party = party;
    }

    public Party party() {
        return party;
    }

    /** The name as it stands in log and metrics. */
    public String label() {
        return label;
    }
}
