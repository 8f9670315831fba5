package dev.postern.core.dns;

import dev.postern.core.net.CidrSet;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsPtrRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reverse DNS verifier: verifies the owner of an address by the names in its PTR records (RFC 1035 section 3.5, RFC 3596 section 2.5) that
 * resolve to the same address. The holder of an address can choose any name in its PTR record, but cannot make a name of another owner
 * resolve to the address. Thread-safe.
 */
public final class ReverseDnsVerifier implements AddressOwnerLookup, AutoCloseable {

    /** Time for all queries of a look-up together, since an exchange waits meanwhile. */
    private static final long DEADLINE_MILLIS = 1_000;

    private static final long QUERY_MILLIS = 400;
    private static final int MAX_QUERIES = 4;
    private static final int MAX_NAMES = 4;

    private final EventLoopLocal<DnsNameResolver> resolvers;

    public ReverseDnsVerifier(NameServers servers) {
        resolvers = new EventLoopLocal<>(loop -> servers.queries()
                .eventLoop(loop)
                .queryTimeoutMillis(QUERY_MILLIS)
                .maxQueriesPerResolve(MAX_QUERIES)
                .completeOncePreferredResolved(false) // otherwise only one kind of addresses is found
                .build());
    }

    @Override
    public void ask(EventLoop loop, InetAddress address, List<String> domains, Consumer<Response> listener) {
        Search search = new Search(resolvers.get(loop), address, listener);
        search.deadline = loop.schedule(() -> search.end(Response.UNKNOWN), DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
        search.begin(domains);
    }

    @Override
    public void close() {
        resolvers.all().forEach(DnsNameResolver::close);
    }

    /** Returns the name under which an address has its PTR records. */
    static String pointer(InetAddress address) {
        byte[] bytes = CidrSet.unmapped(address.getAddress());
        StringBuilder name = new StringBuilder(72);
        for (int i = bytes.length - 1; i >= 0; i--) {
            int value = bytes[i] & 0xff;
            if (bytes.length == 4) {
                name.append(value).append('.');
            } else {
                name.append(Character.forDigit(value & 15, 16)).append('.');
                name.append(Character.forDigit(value >> 4, 16)).append('.');
            }
        }
        return name.append(bytes.length == 4 ? "in-addr.arpa." : "ip6.arpa.").toString();
    }

    /** Look-up of one address: first its names, then the addresses of those names that are in the owner's domains. */
    private static final class Search {

        private final DnsNameResolver resolver;
        private final InetAddress address;
        private @Nullable Consumer<Response> listener;
        private java.util.concurrent.@Nullable Future<?> deadline;

        Search(DnsNameResolver resolver, InetAddress address, Consumer<Response> listener) {
            this.resolver = resolver;
            this.address = address;
            this.listener = listener;
        }

        void begin(List<String> domains) {
            resolver.resolveAll(new DefaultDnsQuestion(pointer(address), DnsRecordType.PTR))
                    .addListener((FutureListener<List<DnsRecord>>) found -> {
                        if (found.isSuccess()) {
                            follow(names(found.getNow(), domains), Response.NO);
                        } else {
                            end(failed(found));
                        }
                    });
        }

        private void follow(List<String> names, Response otherwise) {
            if (names.isEmpty() || listener == null) {
                end(otherwise);
                return;
            }
            resolver.resolveAll(names.get(0)).addListener((FutureListener<List<InetAddress>>) found -> {
                if (found.isSuccess() && found.getNow().contains(address)) {
                    end(Response.YES);
                } else {
                    boolean unheard = !found.isSuccess() && failed(found) == Response.UNKNOWN;
                    follow(names.subList(1, names.size()), unheard ? Response.UNKNOWN : otherwise);
                }
            });
        }

        private void end(Response response) {
            Consumer<Response> waiting = listener;
            if (waiting != null) {
                listener = null;
                if (deadline != null) {
                    deadline.cancel(false);
                }
                waiting.accept(response);
            }
        }
    }

    /** Returns {@code NO} for a name that does not exist, {@code UNKNOWN} for any other failure. */
    private static Response failed(Future<?> search) {
        for (Throwable cause = search.cause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof DnsErrorCauseException error && DnsResponseCode.NXDOMAIN.equals(error.getCode())) {
                return Response.NO;
            }
        }
        return Response.UNKNOWN;
    }

    /** Returns the names in the domains, made absolute: otherwise the resolver would also try the search domains of this machine. */
    private static List<String> names(List<DnsRecord> records, List<String> domains) {
        List<String> names = new ArrayList<>();
        for (DnsRecord record : records) {
            if (record instanceof DnsPtrRecord pointer && names.size() < MAX_NAMES) {
                String name = pointer.hostname().toLowerCase(Locale.ROOT);
                String absolute = name.endsWith(".") ? name : name + ".";
                if (domains.stream().anyMatch(domain -> ("." + absolute).endsWith("." + domain + "."))) {
                    names.add(absolute);
                }
            }
            ReferenceCountUtil.release(record);
        }
        return names;
    }
}
