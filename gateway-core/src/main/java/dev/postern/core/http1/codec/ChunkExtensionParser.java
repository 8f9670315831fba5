package dev.postern.core.http1.codec;

import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;

/**
 * Parser of chunk extensions, byte by byte and in requests strictly by the grammar (RFC 9112 section 7.1.1), though the gateway uses none of
 * them: an unterminated quoted string, for example, would hide the line's end from parsers that respect quotes. In responses blanks may
 * precede the semicolon, and all text is accepted whose quoted strings end within the line.
 */
final class ChunkExtensionParser {

    private static final int LONGEST = 4096;

    private enum State {
        SIZE_ENDED,
        TEXT,
        NAME_START,
        NAME,
        NAME_ENDED,
        VALUE_START,
        VALUE,
        QUOTED,
        ESCAPED,
        VALUE_ENDED,
        BLANK
    }

    private final boolean ofResponses;
    private State state = State.NAME_START;
    private int length;

    ChunkExtensionParser(boolean ofResponses) {
        this.ofResponses = ofResponses;
    }

    /** Begins after the first byte that is no digit of the size: a semicolon, or a blank in responses. */
    void begin(byte first) {
        state = after(first, State.SIZE_ENDED);
        length = 0;
    }

    /** Parses the next byte; false when it is the CR that ends the line. */
    boolean goesOn(byte b) {
        if (b == '\r') {
            if (ended()) {
                return false;
            }
            throw malformed();
        }
        if (b < 0 || !HttpChars.value(b) || ++length > LONGEST) { // b < 0: not ASCII
            throw malformed();
        }
        state = next(b);
        return true;
    }

    private boolean ended() {
        return switch (state) {
            case NAME, VALUE, VALUE_ENDED -> true;
            case QUOTED, ESCAPED -> false;
            default -> ofResponses;
        };
    }

    private State next(byte b) {
        boolean blank = b == ' ' || b == '\t';
        return switch (state) {
            case SIZE_ENDED -> after(b, State.SIZE_ENDED);
            case TEXT -> b == '"' ? State.QUOTED : State.TEXT;
            case NAME_START -> blank ? State.NAME_START : token(b, State.NAME);
            case NAME -> HttpChars.token(b) ? State.NAME : b == '=' ? State.VALUE_START : after(b, State.NAME_ENDED);
            case NAME_ENDED -> b == '=' ? State.VALUE_START : after(b, State.NAME_ENDED);
            case VALUE_START -> blank ? State.VALUE_START : b == '"' ? State.QUOTED : token(b, State.VALUE);
            case VALUE -> HttpChars.token(b) ? State.VALUE : after(b, State.BLANK);
            case QUOTED ->
                b == '"' ? (ofResponses ? State.TEXT : State.VALUE_ENDED) : b == '\\' ? State.ESCAPED : State.QUOTED;
            case ESCAPED -> State.QUOTED;
            case VALUE_ENDED, BLANK -> after(b, State.BLANK);
        };
    }

    private static State token(byte b, State then) {
        if (!HttpChars.token(b)) {
            throw malformed();
        }
        return then;
    }

    /** Returns the state after another extension begins, or whitespace before one. */
    private State after(byte b, State blank) {
        if (b == ';') {
            return ofResponses ? State.TEXT : State.NAME_START;
        }
        if (b != ' ' && b != '\t') {
            throw malformed();
        }
        return blank;
    }

    private static HttpParseException malformed() {
        return HttpParseException.malformed("chunk extension");
    }
}
