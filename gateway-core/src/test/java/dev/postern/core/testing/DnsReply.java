package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;

/**
 * Response of a {@link FakeNameServer}, true or forged; written without a codec of the gateway.
 *
 * @param code RCODE
 * @param idChange is added to the id of the query
 * @param question the name in the question section; empty for the queried one
 * @param elsewhere sent from another port than the queried one
 * @param records {@code A}, {@code AAAA} or {@code CNAME} and value, such as {@code "A 192.0.2.1"}; a record after a CNAME is of its name; with a third
 *     word, the TTL, else 0
 */
public record DnsReply(
        int code, boolean truncated, int idChange, String question, boolean elsewhere, List<String> records) {

    private static final int NAME_ERROR = 3;
    private static final int SERVER_FAILURE = 2;

    /** Returns a true response with these records. */
    public static DnsReply of(String... records) {
        return new DnsReply(0, false, 0, "", false, List.of(records));
    }

    /** Returns a response that the name does not exist. */
    public static DnsReply noSuchName() {
        return new DnsReply(NAME_ERROR, false, 0, "", false, List.of());
    }

    /** Returns a response that the server failed. */
    public static DnsReply serverFailure() {
        return new DnsReply(SERVER_FAILURE, false, 0, "", false, List.of());
    }

    /** Returns this with the TC bit. */
    public DnsReply cut() {
        return new DnsReply(code, true, idChange, question, elsewhere, records);
    }

    /** Returns this with another id than the query's. */
    public DnsReply withWrongId() {
        return new DnsReply(code, truncated, 1, question, elsewhere, records);
    }

    /** Returns this as the response to another question. */
    public DnsReply toQuestion(String name) {
        return new DnsReply(code, truncated, idChange, name, elsewhere, records);
    }

    /** Returns this, sent from another port. */
    public DnsReply fromElsewhere() {
        return new DnsReply(code, truncated, idChange, question, true, records);
    }

    /** Returns the message. */
    byte[] message(FakeNameServer.Query query) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), query);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void write(DataOutputStream out, FakeNameServer.Query query) throws IOException {
        String name = question.isEmpty() ? query.name() : question;
        out.writeShort(query.id() + idChange);
        out.writeShort(0x8580 | (truncated ? 0x200 : 0) | code); // response, authoritative, recursion
        out.writeShort(1);
        out.writeShort(records.size());
        out.writeInt(0);
        out.write(name(name));
        out.writeShort(query.type());
        out.writeShort(1);
        for (String record : records) {
            String[] words = record.split(" ");
            byte[] data = words[0].equals("CNAME") ? name(words[1]) : address(words[0], words[1]);
            out.write(name(name));
            out.writeShort(FakeNameServer.type(words[0]));
            out.writeShort(1);
            out.writeInt(words.length > 2 ? Integer.parseInt(words[2]) : 0);
            out.writeShort(data.length);
            out.write(data);
            name = words[0].equals("CNAME") ? words[1] : name;
        }
    }

    private static byte[] name(String name) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String label : name.split("\\.")) {
            out.write(label.length());
            out.writeBytes(label.getBytes(US_ASCII));
        }
        out.write(0);
        return out.toByteArray();
    }

    /** Returns the bytes of an address; an IPv4 address of type AAAA as IPv4-mapped, which InetAddress does not write. */
    private static byte[] address(String type, String text) throws IOException {
        byte[] bytes = InetAddress.getByName(text).getAddress();
        if (type.equals("A") || bytes.length == 16) {
            return bytes;
        }
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        System.arraycopy(bytes, 0, mapped, 12, 4);
        return mapped;
    }
}
