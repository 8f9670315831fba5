package dev.postern.core.http2;

import io.netty.util.collection.IntObjectHashMap;

/** Set of the streams added last. One event loop. */
final class RecentStreams {

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
