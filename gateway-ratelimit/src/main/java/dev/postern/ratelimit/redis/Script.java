package dev.postern.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Script in Lua, and the SHA-1 of its text, by which Redis knows a script that was sent before. */
record Script(String text, String sha) {

    static final Script ROOM = load("room.lua");
    static final Script LIMIT = load("limit.lua");
    static final Script NETWORK = load("network.lua");

    static Script of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
            return new Script(text, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is missing, which every Java platform must have", e);
        }
    }

    private static Script load(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": not on the class path");
            }
            return of(new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
