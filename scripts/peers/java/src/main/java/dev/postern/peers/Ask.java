package dev.postern.peers;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Request that a client is to send. */
record Ask(Map<String, String> words, List<Field> fields, List<Field> proxyFields) {
    /** Field line of a message. */
    record Field(String name, String value) {
        static Field of(String line) {
            int colon = line.indexOf(':');
            return new Field(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
    }

    /** Reads the next request; null at the end. */
    static Ask read(BufferedReader in) throws IOException {
        Ask ask = new Ask(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                return ask;
            }
            int blank = line.indexOf(' ');
            String name = line.substring(0, blank);
            String value = line.substring(blank + 1);
            switch (name) {
                case "field" -> ask.fields.add(Field.of(value));
                case "proxy-field" -> ask.proxyFields.add(Field.of(value));
                default -> ask.words.put(name, value);
            }
        }
        return null;
    }

    String method() {
        return words.get("method");
    }

    URI url() {
        return URI.create(words.get("url"));
    }

    boolean hasBody() {
        return words.containsKey("body");
    }

    int length() {
        return Integer.parseInt(words.get("body"));
    }

    byte[] body() {
        byte[] body = new byte[length()];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) (i % 251);
        }
        return body;
    }

    /** The body for clients that send chunks when they do not know the length. */
    InputStream stream() {
        return new ByteArrayInputStream(body());
    }

    boolean chunked() {
        return "chunked".equals(words.get("framing"));
    }

    boolean expectsContinue() {
        return words.containsKey("expect");
    }

    boolean follows() {
        return words.containsKey("follow");
    }

    boolean isHttp2() {
        return "2".equals(words.get("version"));
    }

    /** The forward proxy, or null. */
    URI proxy() {
        return words.containsKey("proxy") ? URI.create(words.get("proxy")) : null;
    }

    /** Which requests may share a client: those with the same scheme, proxy and version. */
    String kind() {
        return url().getScheme() + " " + words.get("proxy") + " " + words.get("version") + " " + follows();
    }
}
