package dev.postern.ratelimit.redis;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Command to a room, a limit or the networks of a pass. One call of a script has one or more commands.
 *
 * @param room the room, or null for a limit without rooms
 * @param key key of the limit, or of the pass within its room; empty for a room
 * @param arguments arguments of the script: {@link #FIELDS} for a room, two for a limit or a pass
 * @param response called once with the decision, on the caller's loop
 * @param loop loop of the caller, null until the command is sent
 */
record RoomCommand(
        @Nullable RoomKey room,
        String key,
        List<String> arguments,
        Consumer<AdmissionDecision> response,
        @Nullable EventLoop loop) {

    static final int FIELDS = 7;

    private static final String NO_CLAIM = "0";

    static RoomCommand admission(RoomKey room, AdmissionRequest request, Consumer<AdmissionDecision> response) {
        return new RoomCommand(room, "", arguments(request), response, null);
    }

    static RoomCommand limit(String key, Gcra rate, Consumer<AdmissionDecision> response) {
        List<String> arguments = List.of(Long.toString(rate.intervalMicros()), Long.toString(rate.toleranceMicros()));
        return new RoomCommand(null, key, arguments, response, null);
    }

    /** Returns a command that adds a network to those of a pass. Each pass of a session has its own: its hard end is part of the key. */
    static RoomCommand network(CachedPass pass, String network, long now, Consumer<AdmissionDecision> response) {
        String key = pass.session() + ':' + pass.confirmed().hard();
        List<String> arguments = List.of(network, Long.toString(pass.remaining(now) / 1000 + 1));
        return new RoomCommand(pass.room(), key, arguments, response, null);
    }

    /** Returns {@code REVOKE} for a session, {@code BYE} for this node, or {@code LOOK}, which only exchanges reports and overrides. */
    static RoomCommand order(@Nullable RoomKey room, String order, String name, Consumer<AdmissionDecision> response) {
        return new RoomCommand(room, "", List.of(order, name, "", NO_CLAIM, "", "", ""), response, null);
    }

    boolean ofPass() {
        return room != null && !key.isEmpty();
    }

    RoomCommand on(EventLoop responseLoop) {
        return new RoomCommand(room, key, arguments, response, responseLoop);
    }

    RoomKey roomOrThrow() {
        RoomKey found = room;
        if (found == null) {
            throw new IllegalStateException("command: of a limit (expected: of a room)");
        }
        return found;
    }

    static List<String> arguments(AdmissionRequest request) {
        return List.of(
                request.intent().name(),
                request.session(),
                request.key(),
                claim(request.claim()),
                request.credential(),
                share(request.share()),
                request.network());
    }

    /** Encodes a claim as one argument, since the script rarely needs its parts. */
    private static String claim(AdmissionRequest.Claim claim) {
        return claim.epoch() == 0
                ? NO_CLAIM
                : claim.epoch() + " " + claim.ticket() + " " + claim.seen() + " " + claim.end() + " " + claim.hard();
    }

    private static String share(TenantShare share) {
        return share.tenant().isEmpty() ? "" : share.weight() + ":" + share.tenant();
    }
}
