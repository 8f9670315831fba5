package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/**
 * The head of a request, whichever protocol it came by: method, authority, path, query and fields.
 *
 * <p>The path is the one that was checked and normalised (RFC 3986 section 6.2.2), and the one that goes upstream unless a route rewrites
 * it. {@code CONNECT} has an authority and an empty path.
 */
public final class RequestHead extends Head {

    /** What the body of a request is framed by (RFC 9112 section 6). */
    public static final long NO_BODY = 0;

    public static final long CHUNKED = -1;

    private Method method = Method.GET;
    private int majorVersion = 1;
    private int minorVersion = 1;
    private boolean absolute;
    private String scheme = "http";
    private String authority = "";
    private String hostOf = "";
    private String host = "";
    private int pathStart;
    private int pathEnd;
    private int queryEnd;
    private List<String> otherReadings = List.of();
    private int outgoingStart;
    private int outgoingEnd;
    private long bodyLength;
    private boolean keepAlive = true;
    private boolean expectsContinue;
    private String upgrade = "";
    private boolean takesTrailers;

    public RequestHead() {
        super(512, 16);
    }

    @Override
    public void reset() {
        super.reset();
        method = Method.GET;
        majorVersion = 1;
        minorVersion = 1;
        absolute = false;
        scheme = "http";
        authority = "";
        pathStart = 0;
        pathEnd = 0;
        queryEnd = 0;
        otherReadings = List.of();
        outgoingStart = 0;
        outgoingEnd = 0;
        bodyLength = NO_BODY;
        keepAlive = true;
        expectsContinue = false;
        upgrade = "";
        takesTrailers = false;
    }

    public Method method() {
        return method;
    }

    public RequestHead method(Method value) {
        this.method = value;
        return this;
    }

    /** 1 or 2: the protocol that the request came by. */
    public int majorVersion() {
        return majorVersion;
    }

    public RequestHead majorVersion(int value) {
        this.majorVersion = value;
        return this;
    }

    /** 0 or 1: the minor version of HTTP/1; 1 for later protocols. */
    public int minorVersion() {
        return minorVersion;
    }

    public RequestHead minorVersion(int value) {
        this.minorVersion = value;
        return this;
    }

    /** Whether the target came in absolute-form, as for a forward proxy (RFC 9112 section 3.2.2). */
    public boolean absolute() {
        return absolute;
    }

    public RequestHead absolute(boolean value) {
        this.absolute = value;
        return this;
    }

    /** {@code http} or {@code https}, from the target when it was absolute, else from the connection. */
    public String scheme() {
        return scheme;
    }

    public RequestHead scheme(String value) {
        this.scheme = value;
        return this;
    }

    /** {@code host[:port]} of the target or of the Host field in its one spelling; empty when HTTP/1.0 named none. */
    public String authority() {
        return authority;
    }

    public RequestHead authority(String value) {
        this.authority = value;
        return this;
    }

    /** {@link #authority()} without its port; an IPv6 literal keeps its brackets. */
    public String host() {
        if (!authority.equals(hostOf)) {
            int colon = authority.lastIndexOf(':');
            host = colon >= 0 && authority.indexOf(']', colon) < 0 ? authority.substring(0, colon) : authority;
            hostOf = authority;
        }
        return host;
    }

    /** Places the path and the query (with its {@code ?}, empty when absent) in {@link #bytes()}. */
    public RequestHead target(int start, int path, int query) {
        this.pathStart = start;
        this.pathEnd = path;
        this.queryEnd = query;
        this.otherReadings = List.of();
        this.outgoingStart = start;
        this.outgoingEnd = query;
        return this;
    }

    /** Replaces path and query by other text. */
    public RequestHead target(String path, String query) {
        byte[] text = (path + query).getBytes(ISO_8859_1);
        int offset = reserve(text.length);
        System.arraycopy(text, 0, bytes(), offset, text.length);
        return target(offset, offset + path.length(), offset + text.length);
    }

    /** What upstreams may take {@link #path()} for beside itself; mostly nothing. Whatever decides on the path decides on these too. */
    public List<String> otherReadings() {
        return otherReadings;
    }

    public RequestHead otherReadings(List<String> value) {
        this.otherReadings = value;
        return this;
    }

    /** Sends another path upstream, with the same query; {@link #path} stays what the client asked for. */
    public RequestHead rewrite(String path) {
        byte[] text = (path + query()).getBytes(ISO_8859_1);
        int offset = reserve(text.length);
        System.arraycopy(text, 0, bytes(), offset, text.length);
        this.outgoingStart = offset;
        this.outgoingEnd = offset + text.length;
        return this;
    }

    /** Begin of path and query as they are written upstream. */
    public int targetStart() {
        return outgoingStart;
    }

    /** End of path and query as they are written upstream. */
    public int targetEnd() {
        return outgoingEnd;
    }

    public String path() {
        return text(pathStart, pathEnd);
    }

    /** The query with its {@code ?}, or nothing. Never logged by default. */
    public String query() {
        return text(pathEnd, queryEnd);
    }

    /** Bytes of the body, {@link #NO_BODY} or {@link #CHUNKED}. */
    public long bodyLength() {
        return bodyLength;
    }

    public RequestHead bodyLength(long value) {
        this.bodyLength = value;
        return this;
    }

    public boolean hasBody() {
        return bodyLength != NO_BODY;
    }

    /** Whether the client wants to use its connection again. */
    public boolean keepAlive() {
        return keepAlive;
    }

    public RequestHead keepAlive(boolean value) {
        this.keepAlive = value;
        return this;
    }

    /** Whether the client waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1). */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    public RequestHead expectsContinue(boolean value) {
        this.expectsContinue = value;
        return this;
    }

    /** The one protocol that the client asks to change to (RFC 9110 section 7.8), as it wrote it; empty when it asks for none. */
    public String upgrade() {
        return upgrade;
    }

    public RequestHead upgrade(String value) {
        this.upgrade = value;
        return this;
    }

    /** Whether the client keeps trailers of a response apart from its head (RFC 9110 section 10.1.4). */
    public boolean takesTrailers() {
        return takesTrailers;
    }

    public RequestHead takesTrailers(boolean value) {
        this.takesTrailers = value;
        return this;
    }

    /** Whether the connection may become a tunnel by this request, so that nobody can tell yet whose bytes follow. */
    public boolean mayTunnel() {
        return method.equals(Method.CONNECT) || !upgrade.isEmpty();
    }
}
