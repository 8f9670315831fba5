package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Head of a request in any HTTP version: method, authority, path, query and fields.
 *
 * <p>The path is the checked and normalised one (RFC 3986 section 6.2.2). The upstream gets the path in the client's spelling, unless a route
 * asks for the normal form or rewrites the path. {@code CONNECT} has an authority and an empty path.
 */
public final class RequestHead extends Head {

    /** Values of {@link #bodyLength()} (RFC 9112 section 6). */
    public static final long NO_BODY = 0;

    public static final long CHUNKED = -1;

    private Method method = Method.GET;
    private @Nullable Method messageMethod;
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
    private @Nullable QueryParameters parameters;
    private int sentStart;
    private int sentEnd;
    private Set<String> otherReadings = Set.of();
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
        messageMethod = null;
        majorVersion = 1;
        minorVersion = 1;
        absolute = false;
        scheme = "http";
        authority = "";
        pathStart = 0;
        pathEnd = 0;
        queryEnd = 0;
        parameters = null;
        sentStart = 0;
        sentEnd = 0;
        otherReadings = Set.of();
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

    /** Returns the method of the message itself, which determines the framing of the response: see {@link #describe}. */
    public Method messageMethod() {
        Method own = messageMethod;
        return own == null ? method : own;
    }

    /** Sets the method of another request that this message describes; its response is framed as one to this message. */
    public RequestHead describe(Method described) {
        messageMethod = messageMethod();
        method = described;
        return this;
    }

    /** Returns the major version of the protocol of the request: 1 or 2. */
    public int majorVersion() {
        return majorVersion;
    }

    public RequestHead majorVersion(int value) {
        this.majorVersion = value;
        return this;
    }

    /** Returns the minor version of HTTP/1, 0 or 1; 1 for later protocols. */
    public int minorVersion() {
        return minorVersion;
    }

    public RequestHead minorVersion(int value) {
        this.minorVersion = value;
        return this;
    }

    /** Returns whether the target was in absolute-form, as for a forward proxy (RFC 9112 section 3.2.2). */
    public boolean absolute() {
        return absolute;
    }

    public RequestHead absolute(boolean value) {
        this.absolute = value;
        return this;
    }

    /** Returns {@code http} or {@code https}: the scheme of an absolute target, otherwise that of the connection. */
    public String scheme() {
        return scheme;
    }

    public RequestHead scheme(String value) {
        this.scheme = value;
        return this;
    }

    /** Returns the normalised {@code host[:port]} of the target or the Host field; empty for HTTP/1.0 without Host. */
    public String authority() {
        return authority;
    }

    public RequestHead authority(String value) {
        this.authority = value;
        return this;
    }

    /** Returns {@link #authority()} without its port; an IPv6 literal keeps its brackets. */
    public String host() {
        if (!authority.equals(hostOf)) {
            int colon = authority.lastIndexOf(':');
            host = colon >= 0 && authority.indexOf(']', colon) < 0 ? authority.substring(0, colon) : authority;
            hostOf = authority;
        }
        return host;
    }

    /**
     * Sets the positions in {@link #bytes()} where the path starts, the path ends and the query (with its {@code ?}, empty when absent)
     * ends.
     */
    public RequestHead target(int start, int path, int query) {
        this.pathStart = start;
        this.pathEnd = path;
        this.queryEnd = query;
        this.parameters = null;
        this.otherReadings = Set.of();
        return sent(start, path, query);
    }

    /**
     * Sets the positions in {@link #bytes()} of the target in the client's spelling, where this is not the normal form or may be read
     * differently. The upstream gets these bytes.
     */
    RequestHead sent(int start, int path, int query) {
        this.sentStart = start;
        this.sentEnd = path;
        this.outgoingStart = start;
        this.outgoingEnd = query;
        return this;
    }

    /** Replaces path and query with other text. */
    public RequestHead target(String path, String query) {
        byte[] text = (path + query).getBytes(ISO_8859_1);
        int offset = reserve(text.length);
        System.arraycopy(text, 0, bytes(), offset, text.length);
        return target(offset, offset + path.length(), offset + text.length);
    }

    /** Returns the path in the client's spelling. */
    public String sentPath() {
        return text(sentStart, sentEnd);
    }

    /** Returns whether the normal form and the client's spelling of the path are the same bytes, which all servers read alike. */
    public boolean plainPath() {
        return sentStart == pathStart;
    }

    /** Sends the upstream the normal form of the path in place of the client's spelling. */
    public RequestHead sendNormalPath() {
        this.outgoingStart = pathStart;
        this.outgoingEnd = queryEnd;
        return this;
    }

    /**
     * Returns other paths that the upstream may read instead of {@link #path()}, usually none; empty before the request is matched. Every rule
     * on the path must check them too.
     */
    public Set<String> otherReadings() {
        return otherReadings;
    }

    /** @param value of {@link PathReadings}; may contain {@link #path()} itself */
    public RequestHead otherReadings(Set<String> value) {
        this.otherReadings = value;
        return this;
    }

    /** Sets another path for the upstream, with the same query; {@link #path} stays the path of the client. */
    public RequestHead rewrite(String path) {
        byte[] text = (path + query()).getBytes(ISO_8859_1);
        int offset = reserve(text.length);
        System.arraycopy(text, 0, bytes(), offset, text.length);
        this.outgoingStart = offset;
        this.outgoingEnd = offset + text.length;
        return this;
    }

    /** Returns the start of path and query as written upstream. */
    public int targetStart() {
        return outgoingStart;
    }

    /** Returns the end of path and query as written upstream. */
    public int targetEnd() {
        return outgoingEnd;
    }

    public String path() {
        return text(pathStart, pathEnd);
    }

    /** Returns the query with its {@code ?}, or an empty text. Never logged by default. */
    public String query() {
        return text(pathEnd, queryEnd);
    }

    /** Returns the parameters of the query; decoded once, whatever the number of rules that read them. */
    public QueryParameters parameters() {
        QueryParameters decoded = parameters;
        if (decoded == null) {
            decoded = QueryParameters.of(query());
            parameters = decoded;
        }
        return decoded;
    }

    /** Returns the length of the body in bytes, {@link #NO_BODY} or {@link #CHUNKED}. */
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

    /** Returns whether the client wants to reuse its connection. */
    public boolean keepAlive() {
        return keepAlive;
    }

    public RequestHead keepAlive(boolean value) {
        this.keepAlive = value;
        return this;
    }

    /** Returns whether the client waits for 100 Continue before it sends the body (RFC 9110 section 10.1.1). */
    public boolean expectsContinue() {
        return expectsContinue;
    }

    public RequestHead expectsContinue(boolean value) {
        this.expectsContinue = value;
        return this;
    }

    /** Returns the only protocol in the client's Upgrade field (RFC 9110 section 7.8), as spelt there; empty without one. */
    public String upgrade() {
        return upgrade;
    }

    public RequestHead upgrade(String value) {
        this.upgrade = value;
        return this;
    }

    /** Returns whether the client accepts trailers of a response (RFC 9110 section 10.1.4). */
    public boolean takesTrailers() {
        return takesTrailers;
    }

    public RequestHead takesTrailers(boolean value) {
        this.takesTrailers = value;
        return this;
    }

    /** Returns whether this request may turn the connection into a tunnel, so that the bytes after the head may not be HTTP. */
    public boolean mayTunnel() {
        return messageMethod().equals(Method.CONNECT) || !upgrade.isEmpty();
    }
}
