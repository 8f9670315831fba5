package dev.postern.core.route;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.fuzz.Asking;
import dev.postern.core.fuzz.Lines;
import dev.postern.core.fuzz.Must;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import dev.postern.core.transport.CidrSet;
import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is believed about clients: only those that are trusted, whatever others wrote before them; and the next gateway that trusts us finds the
 * same client. An input is lines: ranges with commas between, the peer's address, then values of X-Forwarded-For.
 */
public final class TrustFuzz {

    private static final InetAddress OURS = Asking.address("2001:db8:5afe::1");
    private static final int FEW_HOPS = 28;

    private TrustFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether somebody else than the peer was found to be the client. */
    public static boolean accepts(byte[] input) {
        List<String> lines = Lines.of(input, 3);
        byte[] peerBytes = NetUtil.createByteArrayFromIpAddressString(lines.get(1));
        List<String> ranges = List.of(lines.get(0).split(",", 20));
        CidrSet trusted = cidrs(ranges);
        if (peerBytes == null || trusted == null) {
            return false;
        }
        InetAddress peer = Asking.address(lines.get(1));
        Must.equal(
                trusted.contains(peer), ranges.stream().anyMatch(range -> inside(range, peer)), "what a range holds");
        RequestHead head = head(lines.get(2), "");
        if (head == null) {
            return false;
        }
        ClientConnection from = Asking.client(peer, trusted);
        InetAddress client = ForwardedFields.client(from, head);
        if (!trusted.contains(peer)) {
            Must.equal(client, peer, "nobody else than the peer");
        }
        unmovedByStrangers(from, lines.get(2), client);
        passedOn(from, head, ranges, client);
        return !client.equals(peer);
    }

    private static @Nullable CidrSet cidrs(List<String> ranges) {
        try {
            return CidrSet.of(ranges);
        } catch (IllegalArgumentException e) {
            Must.hold(String.valueOf(e.getMessage()).contains("(expected: "), "a reason that says what is expected");
            return null;
        }
    }

    /** What a client writes in front of what the first trusted proxy says of it moves nobody. */
    private static void unmovedByStrangers(ClientConnection from, String chain, InetAddress client) {
        CidrSet trusted = from.listener().trustedProxies();
        RequestHead spoofed = head(chain, "203.0.113.66, ");
        if (spoofed != null && !trusted.contains(client)) {
            Must.equal(ForwardedFields.client(from, spoofed), client, "the same client, whatever it says of itself");
        }
    }

    private static void passedOn(ClientConnection from, RequestHead head, List<String> ranges, InetAddress client) {
        String before = head.joined(FieldName.X_FORWARDED_FOR);
        ForwardedFields.reverse(from, head, new Via("postern"));
        String after = String.valueOf(head.joined(FieldName.X_FORWARDED_FOR));
        Must.equal(head.occurrences(FieldName.X_FORWARDED_FOR), 1, "one field for the chain");
        Must.hold(after.endsWith(NetUtil.toAddressString(from.peer())), "the peer at its end");
        Must.equal(head.occurrences(FieldName.X_FORWARDED_PROTO), 1, "one scheme");
        boolean few = before == null || before.split(",", -1).length < FEW_HOPS;
        if (few && !from.listener().trustedProxies().contains(OURS)) {
            CidrSet next = CidrSet.of(java.util.stream.Stream.concat(
                            ranges.stream(), java.util.stream.Stream.of(NetUtil.toAddressString(OURS)))
                    .toList());
            Must.equal(ForwardedFields.client(Asking.client(OURS, next), head), client, "the client to whom trusts us");
        }
    }

    /** Values of one field each, the first one behind {@code prefix}. */
    private static @Nullable RequestHead head(String values, String prefix) {
        StringBuilder text = new StringBuilder("GET / HTTP/1.1\r\nHost: h\r\n");
        String before = prefix;
        for (String value : values.split("\n", 10)) {
            text.append("X-Forwarded-For: ").append(before).append(value).append("\r\n");
            before = "";
        }
        return HeadBytes.read(text.append("\r\n").toString());
    }

    /** By arithmetic over whole numbers. */
    private static boolean inside(String range, InetAddress address) {
        String[] parts = range.split("/", 2);
        byte[] base = plain(NetUtil.createByteArrayFromIpAddressString(parts[0]));
        byte[] bytes = plain(address.getAddress());
        if (base.length != bytes.length) {
            return false;
        }
        int bits = NetUtil.createByteArrayFromIpAddressString(parts[0]).length * 8;
        int prefix = parts.length < 2 ? bits : Integer.parseInt(parts[1]);
        int shift = Math.max(0, Math.min(base.length * 8, bits - prefix));
        return new BigInteger(1, base).shiftRight(shift).equals(new BigInteger(1, bytes).shiftRight(shift));
    }

    /** An IPv4 address that is written as IPv6 is one all the same (RFC 4291 section 2.5.5.2). */
    private static byte[] plain(byte[] bytes) {
        BigInteger number = new BigInteger(1, bytes);
        boolean mapped = bytes.length == 16 && number.shiftRight(32).equals(BigInteger.valueOf(0xffff));
        return mapped ? java.util.Arrays.copyOfRange(bytes, 12, 16) : bytes;
    }
}
