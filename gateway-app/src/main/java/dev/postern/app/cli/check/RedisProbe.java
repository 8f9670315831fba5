package dev.postern.app.cli.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.core.redis.RedisFault;
import dev.postern.core.redis.RedisPermission;
import dev.postern.core.redis.RedisUri;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Probe of one Redis on an open connection: logs in and tries commands, as the gateway does, and removes its keys. */
final class RedisProbe {

    private static final int MAX_LINE = 64 * 1024;

    private final InputStream in;
    private final OutputStream out;
    private final boolean cluster;

    /** @param cluster whether the configuration says so */
    RedisProbe(Socket socket, boolean cluster) throws IOException {
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
        this.cluster = cluster;
    }

    /** Error reply of the server, in words for the operator. */
    static final class Refused extends IOException {

        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /**
     * Logs in and selects the database, as far as the URI has them.
     *
     * @param database 0 for the one that needs no selection
     */
    void login(RedisUri uri, int database) throws IOException {
        String user = uri.user();
        String password = uri.password();
        if (password != null) {
            require(user == null ? List.of("AUTH", password) : List.of("AUTH", user, password));
        }
        if (database != 0) {
            require(List.of("SELECT", Integer.toString(database)));
        }
    }

    /** Returns host and port of the master that a Sentinel knows. */
    List<String> master(String name) throws IOException {
        List<String> found = require(List.of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
        if (found.size() != 2) {
            throw new Refused("it does not know the master " + name);
        }
        return found;
    }

    /** Returns the INFO of the server, or an empty text if the user may not see it. */
    String info() throws IOException {
        send(List.of("INFO"));
        List<String> values = new ArrayList<>();
        String error = read(values);
        if (!RedisPermission.granted(error)) {
            return "";
        }
        if (!error.isEmpty()) {
            throw new Refused(sentence(error));
        }
        return String.join("", values);
    }

    /**
     * Requires that the server is what the configuration says.
     *
     * @throws Refused for a replica, and for a server that is in no Cluster, or in one against the configuration
     */
    void requireKind(String info) throws Refused {
        if (!info.contains("role:master")) {
            throw new Refused(RedisFault.REPLICA.reason());
        }
        if (info.contains("cluster_enabled:1") != cluster) {
            throw new Refused(
                    cluster
                            ? "no node of a Cluster (expected: one, or redis.cluster: false)"
                            : "a node of a Cluster (expected: redis.cluster: true)");
        }
    }

    /** Returns which permissions the user lacks, and why the server refuses permitted commands. */
    Set<String> faults(List<RedisPermission> permissions, String key) throws IOException {
        Set<String> faults = new LinkedHashSet<>();
        Set<String> keys = new TreeSet<>();
        for (RedisPermission permission : permissions) {
            List<String> words = permission.call(key);
            words.stream().filter(word -> word.startsWith(key)).forEach(keys::add);
            String error = reply(words);
            if (!RedisPermission.granted(error)) {
                faults.add(permission.name() + ": " + sentence(error));
            } else if (RedisPermission.refused(error)) {
                faults.add(sentence(error));
            }
        }
        remove(keys);
        return faults;
    }

    /** Removes the keys that stay where a permission to remove their content is missing. */
    private void remove(Set<String> keys) throws IOException {
        for (String key : keys) {
            for (List<String> call :
                    List.of(List.of("DEL", key), List.of("UNLINK", key), List.of("PEXPIRE", key, "1"))) {
                reply(call);
            }
        }
    }

    /** Returns the error reply to a call, or an empty text. */
    private String reply(List<String> words) throws IOException {
        send(words);
        return read(new ArrayList<>());
    }

    private List<String> require(List<String> words) throws IOException {
        send(words);
        List<String> values = new ArrayList<>();
        String error = read(values);
        if (!error.isEmpty()) {
            throw new Refused(sentence(error));
        }
        return values;
    }

    private String sentence(String error) {
        return RedisFault.of(new IllegalStateException(error), cluster).reason();
    }

    private void send(List<String> words) throws IOException {
        StringBuilder command = new StringBuilder("*").append(words.size()).append("\r\n");
        for (String word : words) {
            command.append('$').append(word.getBytes(UTF_8).length).append("\r\n");
            command.append(word).append("\r\n");
        }
        out.write(command.toString().getBytes(UTF_8));
        out.flush();
    }

    /** Reads a reply; adds its strings. Returns the error reply, or an empty text. */
    private String read(List<String> values) throws IOException {
        String line = line();
        char kind = line.isEmpty() ? ' ' : line.charAt(0);
        String rest = line.isEmpty() ? "" : line.substring(1);
        switch (kind) {
            case '-':
                return rest;
            case '+', ':':
                values.add(rest);
                return "";
            case '$':
                values.add(bulk(length(rest)));
                return "";
            case '*':
                for (int left = length(rest); left > 0; left--) {
                    read(values);
                }
                return "";
            default:
                throw new IOException("the server sent no reply of Redis");
        }
    }

    private static int length(String text) throws IOException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IOException("the server sent no reply of Redis", e);
        }
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (line.size() >= MAX_LINE) {
                throw new IOException("the server sent no reply of Redis");
            }
            line.write(next);
        }
        return line.toString(UTF_8).strip();
    }
}
