package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.FrameClient.Frame;
import java.util.List;

/**
 * Text of HTTP/2 frames for assertions, such as {@code HEADERS 1 200}, {@code DATA 1 hello END}, {@code DATA 1 (16384)}, {@code RST 1
 * CANCEL} or {@code GOAWAY 3 NO_ERROR}.
 */
final class FrameText {

    /** Bytes of DATA that are shown; of more, only their number is. */
    private static final int SHOWN = 24;

    private FrameText() {}

    static String of(Frame frame) {
        int stream = frame.stream();
        return switch (frame.type()) {
            case FrameClient.DATA -> "DATA " + stream + data(frame.payload()) + end(frame);
            case FrameClient.HEADERS -> "HEADERS " + stream + head(frame) + end(frame);
            case FrameClient.CONTINUATION -> "CONTINUATION " + stream;
            case FrameClient.RST_STREAM -> "RST " + stream + " " + frame.error();
            case FrameClient.SETTINGS -> frame.has(FrameClient.ACK) ? "SETTINGS ACK" : "SETTINGS";
            case FrameClient.PING -> frame.has(FrameClient.ACK) ? "PING ACK" : "PING";
            case FrameClient.GOAWAY -> ("GOAWAY " + last(frame) + " " + frame.error() + " " + frame.debug()).strip();
            case FrameClient.WINDOW_UPDATE -> "WINDOW " + stream + " " + frame.number(0);
            default -> "frame of type " + frame.type();
        };
    }

    private static String last(Frame goaway) {
        int stream = goaway.number(0);
        return stream == Integer.MAX_VALUE ? "any" : Integer.toString(stream);
    }

    private static String end(Frame frame) {
        return frame.has(FrameClient.END_STREAM) ? " END" : "";
    }

    private static String data(byte[] payload) {
        String text = payload.length > SHOWN ? "(" + payload.length + ")" : new String(payload, ISO_8859_1);
        return text.isEmpty() ? "" : " " + text;
    }

    /** Returns the status, the method and the target, or all fields of trailers. */
    private static String head(Frame frame) {
        if (!frame.has(FrameClient.END_HEADERS)) {
            return "";
        }
        List<String> fields = new FieldBlock.Reader().read(frame.payload());
        StringBuilder text = new StringBuilder();
        boolean trailers = !fields.isEmpty() && !fields.get(0).startsWith(":");
        for (int i = 0; i < fields.size(); i += 2) {
            switch (fields.get(i)) {
                case ":status", ":method", ":path" -> text.append(' ').append(fields.get(i + 1));
                default -> {
                    if (trailers) {
                        text.append(' ').append(fields.get(i)).append('=').append(fields.get(i + 1));
                    }
                }
            }
        }
        return text.toString();
    }
}
