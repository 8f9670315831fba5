package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.crypto.SealedBox;
import dev.postern.core.http.HostCookieGroup;
import dev.postern.core.http.HostCookieGroup.Member;
import dev.postern.core.http.RequestHead;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ticket cookies: one sealed cookie for each room of a host, so that no room takes the ticket of another one.
 *
 * <p>A ticket that the gateway did not issue to this client for this room counts as absent. All ticket cookies of a client together have at
 * most {@value #MAX_BYTES} bytes. The suffix of the name is part of what is sealed, so that a cookie counts only under its name. Thread-safe.
 *
 * <p>Content: digest of the {@link TicketBinding} (8) | time after which the ticket is of no use (8) | ticket. Both are readable without
 * the binding of the room, so that a request in one room can tell which cookies of other rooms are over.
 */
public final class TicketCookie {

    /** Browsers store 4,096 bytes for one cookie; servers often accept 8 KiB of fields. */
    static final int MAX_BYTES = 4096;

    private static final HostCookieGroup COOKIES = new HostCookieGroup("postern-ticket");
    private static final int LENGTH = TicketBinding.DIGEST + Long.BYTES + Ticket.LENGTH;
    /** Length of the value in characters: base64url of key tag, nonce, content and authentication tag. */
    private static final int SEALED = ((1 + 12 + LENGTH + 16) * 8 + 5) / 6;

    /** Cookies that are read, and of these, cookies of the room that are opened; those that another host set may precede the gateway's. */
    private static final int MAX_READ = 128;

    private static final int MAX_OPENED = 8;

    private static final Pattern SUFFIX = Pattern.compile("[A-Za-z0-9_-]{" + TicketBinding.SUFFIX + "}");

    private final Supplier<SealedBox> box;

    /** @param box returns the box of the key ring in force, for this use only */
    public TicketCookie(Supplier<SealedBox> box) {
        this.box = box;
    }

    /**
     * Room for one more cookie in a client's request.
     *
     * @param free whether one more cookie may be set
     * @param expire Set-Cookie value that removes a cookie for it, or null where none has to go
     */
    public record Space(boolean free, @Nullable String expire) {

        private static final Space FREE = new Space(true, null);
        private static final Space NONE = new Space(false, null);
    }

    private record Opened(byte[] digest, long usefulUntil, Ticket ticket) {}

    /**
     * Returns the ticket of the client for the room, or null. Of several, which only a client without TLS can have, counts the one with the
     * greatest right: the pass that ends last, else the foremost place.
     */
    public @Nullable Ticket read(RequestHead request, boolean secure, TicketBinding binding) {
        Ticket best = null;
        int opened = 0;
        for (Member member : COOKIES.members(request, secure, MAX_READ)) {
            if (member.suffix().equals(binding.suffix()) && isSealed(member) && opened++ < MAX_OPENED) {
                Opened found = open(member);
                if (found != null
                        && MessageDigest.isEqual(found.digest, binding.digest())
                        && (best == null || found.ticket.exceeds(best))) {
                    best = found.ticket;
                }
            }
        }
        return best;
    }

    /** Returns whether the request has a ticket cookie of any room, valid or not. */
    public boolean any(RequestHead request, boolean secure) {
        return !COOKIES.members(request, secure, 1).isEmpty();
    }

    /** Returns a Set-Cookie value with the ticket; the cookies of other rooms stay as they are. */
    public String write(Ticket ticket, boolean secure, TicketBinding binding) {
        byte[] plain = ByteBuffer.allocate(LENGTH)
                .put(binding.digest())
                .putLong(binding.usefulUntil(ticket))
                .put(ticket.bytes())
                .array();
        return COOKIES.set(binding.suffix(), box.get().seal(plain, sealedWith(binding.suffix())), secure);
    }

    /**
     * Returns whether the client may get a cookie for the room, which it has not yet. Where the bound is reached, the cookie that was over
     * first has to go, else one that does not open; never one with a live pass or place.
     *
     * @param now time in microseconds
     */
    public Space space(RequestHead request, boolean secure, TicketBinding binding, long now) {
        List<Member> members = COOKIES.members(request, secure, MAX_READ).stream()
                .filter(member -> !member.suffix().equals(binding.suffix())) // will be replaced
                .toList();
        int more = COOKIES.bytes(new Member(binding.suffix(), "x".repeat(SEALED)), secure);
        if (bytes(members, secure) + more <= MAX_BYTES) {
            return Space.FREE;
        }
        int live = more;
        Member gone = null;
        long goneAt = Long.MAX_VALUE;
        for (Member member : members) {
            long over = usefulUntil(member, now);
            if (over > now) {
                live += COOKIES.bytes(member, secure);
            } else if (over < goneAt && SUFFIX.matcher(member.suffix()).matches()) {
                gone = member;
                goneAt = over;
            }
        }
        if (live > MAX_BYTES) {
            return Space.NONE;
        }
        return new Space(true, gone == null ? null : COOKIES.expire(gone.suffix(), secure));
    }

    /** Returns the time after which the cookie is of no use. One that does not open may stay whatever the gateway says: it goes last. */
    private long usefulUntil(Member member, long now) {
        Opened found = isSealed(member) ? open(member) : null;
        return found == null ? now : found.usefulUntil;
    }

    /** Removes all ticket cookies from the request, valid or not, since a holder of a cookie could use the place. */
    public void strip(RequestHead request) {
        COOKIES.remove(request);
    }

    private static int bytes(List<Member> members, boolean secure) {
        return members.stream()
                .mapToInt(member -> COOKIES.bytes(member, secure))
                .sum();
    }

    private static boolean isSealed(Member member) {
        return member.value().length() == SEALED;
    }

    private @Nullable Opened open(Member member) {
        byte[] plain = box.get().open(member.value(), sealedWith(member.suffix()));
        if (plain == null || plain.length != LENGTH) {
            return null;
        }
        int start = TicketBinding.DIGEST + Long.BYTES;
        Ticket ticket = Ticket.of(Arrays.copyOfRange(plain, start, LENGTH));
        return ticket == null
                ? null
                : new Opened(
                        Arrays.copyOf(plain, TicketBinding.DIGEST),
                        ByteBuffer.wrap(plain).getLong(TicketBinding.DIGEST),
                        ticket);
    }

    private static byte[] sealedWith(String suffix) {
        return suffix.getBytes(US_ASCII);
    }
}
