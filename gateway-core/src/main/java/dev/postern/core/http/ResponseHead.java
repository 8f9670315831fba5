package dev.postern.core.http;

/** The head of a response, from an upstream or our own. */
public final class ResponseHead extends Head {

    /** The body of a response ends with its connection (RFC 9112 section 6.3, rule 8). */
    public static final long UNTIL_CLOSE = -2;

    public static final long CHUNKED = -1;

    private int status = 200;
    private int majorVersion = 1;
    private int minorVersion = 1;
    private long bodyLength;
    private boolean keepAlive = true;

    public ResponseHead() {
        super(512, 16);
    }

    @Override
    public void reset() {
        super.reset();
        status = 200;
        majorVersion = 1;
        minorVersion = 1;
        bodyLength = 0;
        keepAlive = true;
    }

    public int status() {
        return status;
    }

    public ResponseHead status(int value) {
        this.status = value;
        return this;
    }

    /** 1 or 2: the protocol that the response came by. */
    public int majorVersion() {
        return majorVersion;
    }

    public ResponseHead majorVersion(int value) {
        this.majorVersion = value;
        return this;
    }

    public int minorVersion() {
        return minorVersion;
    }

    public ResponseHead minorVersion(int value) {
        this.minorVersion = value;
        return this;
    }

    /** Bytes of the body that follows, {@link #CHUNKED} or {@link #UNTIL_CLOSE}; 0 for responses that never have one. */
    public long bodyLength() {
        return bodyLength;
    }

    public ResponseHead bodyLength(long value) {
        this.bodyLength = value;
        return this;
    }

    /** Whether the connection it came by can be used again. */
    public boolean keepAlive() {
        return keepAlive;
    }

    public ResponseHead keepAlive(boolean value) {
        this.keepAlive = value;
        return this;
    }

    /** Whether another head follows (1xx other than 101, RFC 9110 section 15.2). */
    public boolean interim() {
        return status < 200 && status != 101;
    }
}
