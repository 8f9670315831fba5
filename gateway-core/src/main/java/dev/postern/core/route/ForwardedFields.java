package dev.postern.core.route;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.exchange.ResponseHead;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Says upstream who asked (X-Forwarded-For, -Proto, -Host, Via), believing only what trusted proxies said before us; forward proxies say
 * nothing of their clients at all.
 */
public final class ForwardedFields {

    private static final int MOST_HOPS = 32;

    private ForwardedFields() {}

    /** The client as the trusted proxies between it and us name it: the last address in X-Forwarded-For that is not one of theirs. */
    public static InetAddress client(Client client, RequestHead request) {
        Cidrs trusted = client.listener().trustedProxies();
        if (!trusted.contains(client.peer())) {
            return client.peer();
        }
        @Nullable String chain = request.joined(FieldName.X_FORWARDED_FOR);
        InetAddress last = client.peer();
        if (chain == null) {
            return last;
        }
        String[] hops = chain.split(",", -1);
        for (int i = hops.length - 1; i >= Math.max(0, hops.length - MOST_HOPS); i--) {
            InetAddress hop = address(hops[i].trim());
            if (hop == null) {
                return last;
            }
            last = hop;
            if (!trusted.contains(hop)) {
                return hop;
            }
        }
        return last;
    }

    /** The scheme by which the client came to the first trusted proxy, or to us. */
    public static String scheme(Client client, RequestHead request) {
        if (client.listener().trustedProxies().contains(client.peer())) {
            @Nullable String said = request.value(FieldName.X_FORWARDED_PROTO);
            if (said != null && (said.equals("http") || said.equals("https"))) {
                return said;
            }
        }
        return own(client);
    }

    /** That of the connection, whatever an absolute target claims. */
    private static String own(Client client) {
        return client.secure() ? "https" : "http";
    }

    /** Makes a request of a reverse listener ready for its upstream. */
    public static void reverse(Client client, RequestHead request, String pseudonym) {
        String peer = NetUtil.toAddressString(client.peer());
        if (client.listener().trustedProxies().contains(client.peer())) {
            @Nullable String before = request.joined(FieldName.X_FORWARDED_FOR);
            request.set(FieldName.X_FORWARDED_FOR, before == null ? peer : before + ", " + peer);
            keep(request, FieldName.X_FORWARDED_PROTO, own(client));
            if (!request.authority().isEmpty()) {
                keep(request, FieldName.X_FORWARDED_HOST, request.authority());
            }
        } else {
            request.remove(FieldName.FORWARDED);
            request.set(FieldName.X_FORWARDED_FOR, peer);
            request.set(FieldName.X_FORWARDED_PROTO, own(client));
            request.remove(FieldName.X_FORWARDED_HOST);
            if (!request.authority().isEmpty()) {
                request.add(FieldName.X_FORWARDED_HOST, request.authority());
            }
        }
        via(request, pseudonym);
    }

    /** Makes a request of a forward listener ready for its destination: nothing in it speaks of the client. */
    public static void forward(RequestHead request, String pseudonym) {
        request.remove(FieldName.FORWARDED);
        request.remove(FieldName.X_FORWARDED_FOR);
        request.remove(FieldName.X_FORWARDED_PROTO);
        request.remove(FieldName.X_FORWARDED_HOST);
        via(request, pseudonym);
    }

    private static void via(RequestHead request, String pseudonym) {
        String version = request.majorVersion() > 1 ? "2.0 " : request.minorVersion() == 0 ? "1.0 " : "1.1 ";
        request.add(FieldName.VIA, version + pseudonym);
    }

    /** Says in an upstream's answer that it came through us (RFC 9110 section 7.6.3). */
    public static void answer(ResponseHead head, String pseudonym) {
        String version = head.majorVersion() > 1 ? "2.0 " : head.minorVersion() == 0 ? "1.0 " : "1.1 ";
        head.add(FieldName.VIA, version + pseudonym);
    }

    private static void keep(RequestHead request, FieldName name, String otherwise) {
        if (!request.has(name)) {
            request.add(name, otherwise);
        }
    }

    private static @Nullable InetAddress address(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        if (bytes == null) {
            return null;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
