package dev.postern.core.http2;

import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Table of the responses of one connection by stream, and of the streams that were reset or closed recently. One event loop. */
final class StreamTable {

    private static final int LEAST_REMEMBERED = 64;

    private final Http2Connection connection;
    private final IntObjectHashMap<Http2ResponseWriter> responses = new IntObjectHashMap<>();
    private final RecentStreams resets;
    private final RecentStreams closed = new RecentStreams(LEAST_REMEMBERED);

    /** @param maxStreams open at once; all of them and as many new ones can be reset before the client sees the first reset */
    StreamTable(Http2Connection connection, int maxStreams) {
        this.connection = connection;
        this.resets = new RecentStreams(Math.max(LEAST_REMEMBERED, 2 * maxStreams));
    }

    void put(Http2ResponseWriter response) {
        responses.put(response.stream().id(), response);
    }

    @Nullable
    Http2ResponseWriter get(int streamId) {
        return responses.get(streamId);
    }

    int size() {
        return responses.size();
    }

    /** Removes the response of a closed stream. */
    @Nullable
    Http2ResponseWriter remove(Http2Stream stream) {
        closed.add(stream.id());
        return responses.remove(stream.id());
    }

    /** Records a stream that the gateway resets: frames still in flight are ignored (RFC 9113 section 5.1). */
    void reset(int streamId) {
        resets.add(streamId);
    }

    boolean wasReset(int streamId) {
        return resets.contains(streamId);
    }

    /** Returns whether the stream was closed recently. */
    boolean wasClosed(int streamId) {
        return closed.contains(streamId);
    }

    /** Visits all responses; the visitor may remove them. */
    void each(Consumer<Http2ResponseWriter> visitor) {
        List<Http2ResponseWriter> all = new ArrayList<>(responses.values());
        all.forEach(visitor);
    }

    void abandonAll() {
        each(Http2ResponseWriter::abandon);
    }

    /** Returns whether the client's windows allow no more data on that stream. */
    boolean shut(Http2Stream stream) {
        return connection.remote().flowController().windowSize(stream) <= 0 || connectionShut();
    }

    boolean connectionShut() {
        return connection.remote().flowController().windowSize(connection.connectionStream()) <= 0;
    }

    /** Set of the streams added last. One event loop. */
    static final class RecentStreams {

        private final int[] ids;
        private final IntObjectHashMap<Boolean> members = new IntObjectHashMap<>();
        private int next;

        /** @param size number of streams; older ones are forgotten */
        RecentStreams(int size) {
            ids = new int[size];
        }

        void add(int streamId) {
            if (members.put(streamId, Boolean.TRUE) != null) {
                return;
            }
            members.remove(ids[next]);
            ids[next] = streamId;
            next = (next + 1) % ids.length;
        }

        boolean contains(int streamId) {
            return members.containsKey(streamId);
        }
    }
}
