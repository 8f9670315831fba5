package dev.postern.core.authorize;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refusal as another exchange needs it to render it: what was decided, not the page.
 *
 * @param status of the refusal itself
 * @param code of the refusal; empty for a response of the route, such as a redirect
 * @param note of the page; renderer and text are empty without one
 * @param method of the described request
 * @param requestId of the exchange that was refused; empty without one
 * @param fields of the response, as many as there is space for
 */
record SealedRefusal(int status, String code, PageNote note, String method, String requestId, List<Field> fields) {

    /** Maximum number of bytes: sealed, fewer than 2,048 characters. nginx needs the whole head of an answer in 4 KiB. */
    static final int MAX_BYTES = 1_490;

    private static final int MAX_NOTE = 200;
    private static final int MAX_FIELDS = 16;

    private static final FieldName POSITION = FieldName.of("postern-queue-position");

    /** Fields that rendering makes again. */
    private static final List<FieldName> RENDERED = List.of(
            FieldName.CACHE_CONTROL,
            FieldName.of("vary"),
            FieldName.of("content-language"),
            FieldName.of("content-security-policy"),
            FieldName.SERVER_TIMING);

    /** Returns what is to be sealed; what does not fit is left out, challenges first: nginx relays those of the answer itself. */
    static SealedRefusal of(int status, List<Field> fields, Exchange exchange) {
        @Nullable Refusal refusal = exchange.outcome().refusal();
        @Nullable PageNote noted = exchange.get(PageNote.KEY);
        return new SealedRefusal(
                status,
                refusal == null ? "" : refusal.code(),
                noted == null ? new PageNote("", "") : bounded(noted),
                exchange.request().method().name(),
                exchange.requestIdText(),
                fields.stream()
                        .filter(field -> !RENDERED.contains(field.name()))
                        .sorted(Comparator.comparingInt(SealedRefusal::rank))
                        .limit(MAX_FIELDS)
                        .toList());
    }

    private static PageNote bounded(PageNote note) {
        return note.text().length() <= MAX_NOTE
                ? note
                : new PageNote(note.renderer(), note.text().substring(0, MAX_NOTE));
    }

    private static int rank(Field field) {
        FieldName name = field.name();
        if (name.equals(FieldName.RETRY_AFTER) || name.equals(POSITION)) {
            return 0;
        }
        return name.equals(FieldName.SET_COOKIE) ? 1 : name.equals(FieldName.WWW_AUTHENTICATE) ? 3 : 2;
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(status);
            for (String text : List.of(code, note.renderer(), note.text(), method, requestId)) {
                out.writeUTF(text);
            }
            for (Field field : fields) {
                String name = field.name().toString();
                String value = field.value();
                if (bytes.size() + name.length() + value.length() + 4 <= MAX_BYTES && isLatin(value)) {
                    out.writeUTF(name);
                    out.writeUTF(value);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e); // thrown for texts beyond 64 KiB only
        }
        return bytes.toByteArray();
    }

    /** Returns whether each character takes one byte, so that the length is as counted. */
    private static boolean isLatin(String value) {
        return value.chars().allMatch(c -> c > 0 && c < 0x80);
    }

    /** Reads what {@link #bytes} wrote; throws {@link IOException} for other bytes. */
    static SealedRefusal read(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int status = in.readUnsignedShort();
            String code = in.readUTF();
            PageNote note = new PageNote(in.readUTF(), in.readUTF());
            String method = in.readUTF();
            String requestId = in.readUTF();
            List<Field> fields = new ArrayList<>();
            while (in.available() > 0) {
                fields.add(Field.of(FieldName.of(in.readUTF()), in.readUTF()));
            }
            return new SealedRefusal(status, code, note, method, requestId, fields);
        }
    }
}
