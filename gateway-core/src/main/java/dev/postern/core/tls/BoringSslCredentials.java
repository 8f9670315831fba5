package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.tls.certificate.CertificateAndKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLCredential;
import java.io.ByteArrayOutputStream;
import java.lang.ref.Cleaner;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Credentials of BoringSSL: certificate chains and keys in native memory, read once and shared by all handshakes of a context. A cleaner
 * frees them when the context is gone, which holds this object. Thread-safe.
 *
 * <p>Netty's own builder of credentials can't offer a credential to a handshake that has begun, and lacks OCSP responses.
 */
final class BoringSslCredentials {

    private final List<Long> addresses;

    BoringSslCredentials(List<CertificateAndKey> certificates, Cleaner cleaner) {
        List<Long> created = new ArrayList<>();
        cleaner.register(this, () -> created.forEach(BoringSslCredentials::free));
        certificates.forEach(one -> created.add(credential(one)));
        this.addresses = List.copyOf(created);
    }

    /** Offers the certificates with these indices in the handshake of the engine, which takes a reference to each. */
    void offer(List<Integer> indices, ReferenceCountedOpenSslEngine engine) {
        try {
            for (int index : indices) {
                SSL.addCredential(engine.sslPointer(), addresses.get(index));
            }
        } catch (Exception e) {
            throw new IllegalStateException("a credential can't be added: " + e.getMessage(), e);
        }
    }

    private static long credential(CertificateAndKey one) {
        long credential = 0;
        try {
            credential = SSLCredential.newX509();
            setKey(credential, one);
            setChain(credential, one.chain());
            SSLCredential.setOcspResponse(credential, one.staple()); // none if empty
            return credential;
        } catch (Exception e) {
            free(credential);
            throw new IllegalArgumentException(
                    one.label() + ": key type " + one.keyType() + " can't be used by BoringSSL: " + e.getMessage()
                            + " (expected: RSA or EC, or transport.tls-engine: jdk)",
                    e);
        }
    }

    private static void setKey(long credential, CertificateAndKey one) throws Exception {
        byte[] pem = pem("PRIVATE KEY", one.key().getEncoded());
        long bio = bio(pem);
        Arrays.fill(pem, (byte) 0);
        long key = 0;
        try {
            key = SSL.parsePrivateKey(bio, null);
            SSLCredential.setPrivateKey(credential, key);
        } finally {
            SSL.freeBIO(bio);
            if (key != 0) {
                SSL.freePrivateKey(key);
            }
        }
    }

    private static void setChain(long credential, X509Certificate[] certificates) throws Exception {
        long bio = bio(pem(certificates));
        long chain = 0;
        try {
            chain = SSL.parseX509Chain(bio);
            SSLCredential.setCertChain(credential, chain);
        } finally {
            SSL.freeBIO(bio);
            if (chain != 0) {
                SSL.freeX509Chain(chain);
            }
        }
    }

    private static byte[] pem(X509Certificate[] chain) throws CertificateEncodingException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (X509Certificate one : chain) {
            all.writeBytes(pem("CERTIFICATE", one.getEncoded()));
        }
        return all.toByteArray();
    }

    private static byte[] pem(String label, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(("-----BEGIN " + label + "-----\n").getBytes(US_ASCII));
        all.writeBytes(Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(content));
        all.writeBytes(("\n-----END " + label + "-----\n").getBytes(US_ASCII));
        return all.toByteArray();
    }

    /** Returns a buffer of BoringSSL with this content. */
    private static long bio(byte[] content) throws Exception {
        ByteBuf copy = Unpooled.directBuffer(content.length).writeBytes(content);
        try {
            long bio = SSL.newMemBIO();
            if (SSL.bioWrite(bio, copy.memoryAddress(), content.length) != content.length) {
                SSL.freeBIO(bio);
                throw new IllegalStateException("no memory for " + content.length + " bytes");
            }
            return bio;
        } finally {
            copy.setZero(0, content.length);
            copy.release();
        }
    }

    private static void free(long credential) {
        try {
            SSLCredential.free(credential); // frees nothing for 0
        } catch (Exception e) {
            throw new IllegalStateException(e); // declared by the binding, never thrown
        }
    }
}
