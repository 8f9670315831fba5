package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests trailers of responses: they reach clients that requested them, except fields that are only valid in a head. */
@ExtendWith(LeakExtension.class)
class TrailersTest {

    private static final String ASKING = "GET / HTTP/1.1\r\nHost: h\r\nConnection: TE, close\r\nTE: trailers\r\n\r\n";
    private static final String BODY = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    private String response(String request, String trailers) {
        client.send(request);
        Line line = gateway.accept();
        line.readHead();
        line.send(BODY + trailers + "\r\n");
        return client.readBytes(100_000);
    }

    @Test
    void areForwardedOnRequest() {
        assertThat(response(ASKING, "X-Sum:  7 \r\nX-Time:\t1\r\nX-None:\r\n"))
                .endsWith("\r\n4\r\nbody\r\n0\r\nX-Sum: 7\r\nX-Time: 1\r\nX-None: \r\n\r\n");
    }

    @Test
    void theUpstreamReceivesTe() {
        client.send(ASKING);
        String head = gateway.accept().readHead().toLowerCase(Locale.ROOT);
        assertThat(head)
                .contains("\r\nte: trailers\r\n", "\r\nconnection: te\r\n")
                .doesNotContain("close");
    }

    @Test
    void teIsSentOnceAndOnlyOnRequest() {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: TE\r\nTE: trailers\r\n\r\n");
        Line line = gateway.accept();
        line.readHead();
        line.send(BODY + "X-Sum: 7\r\n\r\n");
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        line.readHead();
        line.send(BODY + "\r\n");
        String all = client.readBytes(100_000);
        assertThat(all.split("X-Sum", -1)).hasSize(2);
        assertThat(all).endsWith("\r\n4\r\nbody\r\n0\r\n\r\n");
    }

    @Test
    void areDroppedWithoutARequest() {
        assertThat(response("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTE: gzip\r\n\r\n", "X-Sum: 7\r\n"))
                .endsWith("\r\n4\r\nbody\r\n0\r\n\r\n");
    }

    /** Clients of gRPC over HTTP/1.1 leave out the option. */
    @Test
    void areForwardedWithoutTheConnectionOption() {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTE: gzip;q=0.5, trailers\r\n\r\n");
        Line line = gateway.accept();
        assertThat(line.readHead().toLowerCase(Locale.ROOT)).contains("\r\nte: trailers\r\n", "\r\nconnection: te\r\n");
        line.send(BODY + "grpc-status: 0\r\n\r\n");
        assertThat(client.readBytes(100_000)).endsWith("\r\n4\r\nbody\r\n0\r\ngrpc-status: 0\r\n\r\n");
    }

    @Test
    void areDroppedForHttp10() {
        assertThat(response("GET / HTTP/1.0\r\nHost: h\r\nConnection: TE\r\nTE: trailers\r\n\r\n", "X-Sum: 7\r\n"))
                .endsWith("\r\n\r\nbody");
    }

    @Test
    void dropsFieldsThatAreOnlyValidInAHead() {
        assertThat(
                        response(
                                ASKING,
                                "Content-Length: 5\r\nX-Sum: 7\r\nset-cookie: a=b\r\nTRANSFER-ENCODING: chunked\r\nTransfer_Encoding: chunked\r\nContentLength: 3\r\nCache-Control: public\r\n"))
                .endsWith("\r\n4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n");
    }

    @Test
    void sendsNoTrailersWhenAllAreDropped() {
        assertThat(response(ASKING, "Content-Length: 5\r\n")).endsWith("\r\n4\r\nbody\r\n0\r\n\r\n");
    }

    @Test
    void tooManyTruncateTheResponse() {
        assertThat(response(ASKING, "X: " + "y".repeat(17_000) + "\r\n")).doesNotContain("\r\n0\r\n");
    }

    @Test
    void malformedOnesTruncateTheResponse() {
        assertThat(response(ASKING, "X-A: b\nX-C: d\r\n")).doesNotContain("\r\n0\r\n");
    }
}
