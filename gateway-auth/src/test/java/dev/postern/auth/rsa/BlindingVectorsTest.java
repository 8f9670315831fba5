package dev.postern.auth.rsa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenRequest;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.testing.Vectors;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests blinding, signing and finalizing with RFC 9474 appendix A and RFC 9578 appendix A.2. */
class BlindingVectorsTest {

    private final BlindRsa scheme = new BlindRsa();

    static List<JsonNode> rfc9474() {
        return List.copyOf(Vectors.read("rfc9474/blind-rsa.json").values());
    }

    static List<JsonNode> rfc9578() {
        return Vectors.list("rfc9578/type2-blind-rsa-2048.json");
    }

    @ParameterizedTest
    @MethodSource("rfc9474")
    void followsRfc9474StepByStep(JsonNode vector) throws Exception {
        BigInteger n = Vectors.number(vector, "n");
        RSAKeyParameters key = new RSAKeyParameters(false, n, Vectors.number(vector, "e"));
        BigInteger factor = Vectors.number(vector, "inv").modInverse(n);

        BlindRsaClient client =
                BlindRsaClient.of(key, Vectors.bytes(vector, "prepared_msg"), factor, Vectors.bytes(vector, "salt"));
        byte[] blindSignature = sign(secret(vector), client.blinded());

        assertThat(client.blinded()).isEqualTo(Vectors.bytes(vector, "blinded_msg"));
        assertThat(blindSignature).isEqualTo(Vectors.bytes(vector, "blind_sig"));
        assertThat(client.finish(blindSignature)).isEqualTo(Vectors.bytes(vector, "sig"));
    }

    @ParameterizedTest
    @MethodSource("rfc9578")
    void followsRfc9578StepByStep(JsonNode vector) throws Exception {
        RsaKey key = (RsaKey) IssuerKey.read(TokenType.BLIND_RSA, Vectors.bytes(vector, "pkS"));
        Bytes32 digest = TokenChallenge.sha256(Vectors.bytes(vector, "token_challenge"));

        PendingToken pending = scheme.begin(
                key,
                digest,
                Vectors.bytes(vector, "nonce"),
                Vectors.number(vector, "blind"),
                Vectors.bytes(vector, "salt"));
        TokenRequest request = TokenRequest.decode(pending.request().encode());
        assertThat(request).isNotNull();
        byte[] response = sign(pem(vector), request.blinded());

        assertThat(request.encode()).isEqualTo(Vectors.bytes(vector, "token_request"));
        assertThat(response).isEqualTo(Vectors.bytes(vector, "token_response"));
        assertThat(pending.finish(response).bytes()).isEqualTo(Vectors.bytes(vector, "token"));
    }

    @Test
    void refusesInvalidSignatures() {
        BlindRsaSigner secret = BlindRsaSigner.generate();
        RsaKey key = RsaKey.of(secret.publicKey().getModulus());
        PendingToken pending = scheme.begin(key, TokenChallenge.sha256(new byte[3]), new SecureRandom());
        byte[] good = sign(secret, pending.request().blinded());
        byte[] changed = good.clone();
        changed[77] ^= 1;
        byte[] modulus = new byte[256];
        System.arraycopy(key.modulus().toByteArray(), 1, modulus, 0, 256);

        for (byte[] bad : List.of(changed, new byte[0], new byte[255], new byte[257], new byte[256], modulus)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pending.finish(bad))
                    .withMessageContaining("blind signature");
        }
        assertThat(pending.finish(good)).isInstanceOf(Token.class);
    }

    @Test
    void blindsDifferentlyEachTime() {
        BlindRsaSigner secret = BlindRsaSigner.generate();
        RsaKey key = RsaKey.of(secret.publicKey().getModulus());
        Bytes32 digest = TokenChallenge.sha256(new byte[3]);
        SecureRandom random = new SecureRandom();

        PendingToken one = scheme.begin(key, digest, random);
        PendingToken two = scheme.begin(key, digest, random);

        assertThat(one.request().blinded()).isNotEqualTo(two.request().blinded());
        Token first = one.finish(sign(secret, one.request().blinded()));
        Token second = two.finish(sign(secret, two.request().blinded()));
        assertThat(first.identity()).isNotEqualTo(second.identity());
    }

    @Test
    void signsOnlyNumbersBelowTheModulus() {
        BlindRsaSigner secret = BlindRsaSigner.generate();
        byte[] max = new byte[256];
        Arrays.fill(max, (byte) 0xff);

        for (byte[] bad : List.of(new byte[0], new byte[255], new byte[257], max)) {
            assertThat(secret.sign(bad)).isNull();
        }
    }

    private static byte[] sign(BlindRsaSigner secret, byte[] blinded) {
        return Objects.requireNonNull(secret.sign(blinded));
    }

    private static BlindRsaSigner secret(JsonNode vector) throws Exception {
        BigInteger n = Vectors.number(vector, "n");
        BigInteger e = Vectors.number(vector, "e");
        BigInteger d = Vectors.number(vector, "d");
        BigInteger p = Vectors.number(vector, "p");
        BigInteger q = Vectors.number(vector, "q");
        KeyFactory keys = KeyFactory.getInstance("RSA");
        RSAPrivateCrtKeySpec spec = new RSAPrivateCrtKeySpec(
                n, e, d, p, q, d.mod(p.subtract(BigInteger.ONE)), d.mod(q.subtract(BigInteger.ONE)), q.modInverse(p));
        return new BlindRsaSigner((RSAPrivateCrtKey) keys.generatePrivate(spec), (RSAPublicKey)
                keys.generatePublic(new RSAPublicKeySpec(n, e)));
    }

    private static BlindRsaSigner pem(JsonNode vector) throws Exception {
        String text = new String(Vectors.bytes(vector, "skS"), StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
        KeyFactory keys = KeyFactory.getInstance("RSA");
        RSAPrivateCrtKey key = (RSAPrivateCrtKey) keys.generatePrivate(new PKCS8EncodedKeySpec(der));
        return new BlindRsaSigner(key, (RSAPublicKey)
                keys.generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent())));
    }
}
