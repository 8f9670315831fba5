package dev.postern.core.redis;

import dev.postern.core.config.RedisSettings;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Target of connections to Redis: address, and login and certificates of the next connection.
 *
 * <p>{@link #read} reads {@code redis.uri-file} and the files of {@code redis.tls}. It blocks, so it is for the thread that maintains the
 * connections, which calls it before it connects. The other methods return what was read last: a client asks for login and certificates on
 * its event loops, which never block. While a file cannot be used, what was read before stays, and the log names the file. Address and
 * database do not change.
 */
public final class RedisTarget {

    /** Maximum duration of a TLS handshake: a server without TLS may wait for the rest of a command. */
    public static final Duration HANDSHAKE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(RedisTarget.class);

    private final String uri;
    private final String name;
    private final RedisSettings.@Nullable Sentinel sentinel;
    private final LastRead<RedisUri> login;
    private final @Nullable LastRead<RedisCertificates> certificates;

    /**
     * Reads the files of {@code redis.tls}. Throws {@link IllegalArgumentException} if they cannot be used.
     *
     * @param settings with the content of {@code redis.uri-file} as its URI
     */
    public RedisTarget(RedisSettings settings) {
        RedisUri first = RedisUri.of(settings.uri());
        String file = settings.uriFile();
        this.uri = first.address();
        this.sentinel = settings.sentinel();
        this.name = settings.name(first.address());
        this.login = new LastRead<>(
                first,
                () -> file == null ? first : login(Path.of(file), first.address()),
                fault -> LOG.warn("{}; user and password stay as they were", fault));
        this.certificates = first.address().startsWith("rediss://")
                ? new LastRead<>(
                        RedisCertificates.read(settings.tls()),
                        () -> RedisCertificates.read(settings.tls()),
                        fault -> LOG.warn("{}; the certificates stay as they were", fault))
                : null;
    }

    private static RedisUri login(Path file, String address) {
        try {
            RedisUri read = RedisUri.of(Files.readString(file).trim());
            // A password is for the server that stands beside it; and a file that is being written may end anywhere.
            if (read.address().equals(address)) {
                return read;
            }
            throw new IllegalArgumentException("the address as at the start, since another one needs a restart");
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("redis.uri-file: " + file + " (expected: " + e.getMessage() + ")", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("redis.uri-file: " + file + " (expected: a file that can be read)", e);
        }
    }

    /** Reads the files for the next connection. Blocks. */
    public void read() {
        login.read();
        if (certificates != null) {
            certificates.read();
        }
    }

    /** Returns the URI of the server or of a node of the Cluster, without user and password. With Sentinels its address counts for nothing. */
    public String uri() {
        return uri;
    }

    /** Returns the Sentinels to ask for the server, or null. */
    public RedisSettings.@Nullable Sentinel sentinel() {
        return sentinel;
    }

    /** Returns host and port, or the name of the master, for messages. */
    public String name() {
        return name;
    }

    /** Returns user and password as read last. */
    public RedisUri login() {
        return login.value();
    }

    /** Gives a TLS context the certificates as read last. */
    public void applyCertificates(SslContextBuilder context) {
        if (certificates != null) {
            certificates.value().applyTo(context);
        }
    }

    /**
     * Last value that could be read from files. While they cannot be used, the value before stays, and each fault is logged once. {@link #read}
     * is for one thread that may block, {@link #value} for any.
     */
    private static final class LastRead<T> {

        private final Supplier<T> files;
        private final Consumer<String> log;
        private volatile T value;
        private String fault = "";

        /**
         * @param first value until the first {@link #read}
         * @param files reads the files, or throws {@link IllegalArgumentException} with a message without secrets
         * @param log takes this message
         */
        LastRead(T first, Supplier<T> files, Consumer<String> log) {
            this.value = first;
            this.files = files;
            this.log = log;
        }

        /** Reads the files. Blocks. */
        void read() {
            try {
                value = files.get();
                fault = "";
            } catch (IllegalArgumentException e) {
                String text = String.valueOf(e.getMessage());
                if (!text.equals(fault)) {
                    fault = text;
                    log.accept(text);
                }
            }
        }

        T value() {
            return value;
        }
    }
}
