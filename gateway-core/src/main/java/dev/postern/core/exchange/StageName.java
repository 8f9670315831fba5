package dev.postern.core.exchange;

import java.util.Locale;

/** Stage names of an exchange, in the order in which time is accounted; docs, log and meters use the same names. */
public enum StageName {
    /** From the first byte of the head to its last: zero when all bytes arrived together. */
    RECEIVE(Party.CLIENT),
    MATCH(Party.GATEWAY),
    IDENTIFY(Party.GATEWAY),
    VERIFY(Party.GATEWAY),
    ADMIT(Party.ROOM),
    /** Waiting until the earlier exchanges of the connection permit forwarding. */
    TURN(Party.CLIENT),
    SPEND(Party.LEDGER),
    /** Waiting for a pooled connection or connecting: zero when the pool leased a connection at once. */
    CONNECT(Party.UPSTREAM),
    /** From the request written to the first byte of the response. */
    RESPOND(Party.UPSTREAM),
    /** From the first byte of the response to the last byte written. */
    SEND(Party.TRANSFER);

    /** Party that a stage waits for. */
    public enum Party {
        CLIENT,
        GATEWAY,
        ROOM,
        LEDGER,
        UPSTREAM,
        /** Transfer of a response: the upstream that sends or the client that reads, whichever is slower. */
        TRANSFER;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the name in the log. */
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

    /** Returns the name in log and metrics. */
    public String label() {
        return label;
    }
}
