package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;

/**
 * Encoder of self-signed certificates (RFC 5280 section 4.1) for 30 days and {@code CN=postern}. In this process, because keytool takes a JVM
 * of its own, for a second on a busy machine.
 */
final class SelfSigned {

    private static final Duration VALIDITY = Duration.ofDays(30);
    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int UTC = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int UTF8 = 0x0c;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private static final byte[] VERSION_3 = HexFormat.of().parseHex("020102");
    private static final byte[] SUBJECT_ALT_NAME = HexFormat.of().parseHex("0603551d11");
    private static final byte[] ECDSA_WITH_SHA256 = HexFormat.of().parseHex("300a06082a8648ce3d040302");
    private static final byte[] SHA256_WITH_RSA = HexFormat.of().parseHex("300d06092a864886f70d01010b0500");

    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");
    private static final String POSTERN = "postern";

    private SelfSigned() {}

    /** @param names {@code dns:...} or {@code ip:...} */
    static X509Certificate certificate(KeyPair pair, Instant from, List<String> names) throws GeneralSecurityException {
        return certificate(pair, from, names, POSTERN, new Issuer(POSTERN, pair.getPrivate()));
    }

    /**
     * Issuer of a certificate.
     *
     * @param name its CN
     */
    record Issuer(String name, PrivateKey key) {}

    /** @param subject its CN */
    static X509Certificate certificate(KeyPair pair, Instant from, List<String> names, String subject, Issuer issuer)
            throws GeneralSecurityException {
        boolean elliptic = issuer.key().getAlgorithm().equals("EC");
        byte[] algorithm = elliptic ? ECDSA_WITH_SHA256 : SHA256_WITH_RSA;
        byte[] signed = der(
                SEQUENCE,
                der(VERSION, VERSION_3),
                der(INTEGER, new BigInteger(63, new SecureRandom()).toByteArray()),
                algorithm,
                commonName(issuer.name()),
                der(SEQUENCE, time(from), time(from.plus(VALIDITY))),
                commonName(subject),
                pair.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, alternativeNames(names))));
        Signature signature = Signature.getInstance(elliptic ? "SHA256withECDSA" : "SHA256withRSA");
        signature.initSign(issuer.key());
        signature.update(signed);
        byte[] whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] commonName(String name) {
        return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, name.getBytes(US_ASCII)))));
    }

    private static byte[] time(Instant at) {
        return der(UTC, UTC_TIME.format(at).getBytes(US_ASCII));
    }

    private static byte[] alternativeNames(List<String> names) {
        byte[][] encoded = names.stream().map(SelfSigned::name).toArray(byte[][]::new);
        return der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, der(SEQUENCE, encoded)));
    }

    private static byte[] name(String name) {
        String value = name.substring(name.indexOf(':') + 1);
        try {
            return name.startsWith("ip:")
                    ? der(IP_ADDRESS, InetAddress.getByName(value).getAddress())
                    : der(DNS_NAME, value.getBytes(US_ASCII));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("name: " + name + " (expected: dns:NAME or ip:ADDRESS)", e);
        }
    }

    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            all.write(0x82);
            all.write(length >> 8);
        } else if (length >= 0x80) {
            all.write(0x81);
        }
        all.write(length);
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }
}
