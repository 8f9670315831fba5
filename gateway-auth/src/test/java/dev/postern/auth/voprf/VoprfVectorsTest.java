package dev.postern.auth.voprf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenRequest;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.testing.Vectors;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.auth.verify.SignatureProvider;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests RFC 9578 appendix A.1, RFC 9497 appendix A.4.2 and RFC 9380 appendix J.3.1, in both directions. */
class VoprfVectorsTest {

    private final VoprfP384 scheme = new VoprfP384();
    private final SecureRandom random = new SecureRandom();

    static List<JsonNode> rfc9578() {
        return Vectors.list("rfc9578/type1-voprf-p384.json");
    }

    static List<JsonNode> rfc9497() {
        return Vectors.list("rfc9497/voprf-p384.json");
    }

    static List<JsonNode> rfc9380() {
        return Vectors.list("rfc9380/p384-sswu-ro.json");
    }

    @Test
    void hasAllFiveVectorsOfRfc9578() {
        assertThat(rfc9578()).hasSize(5);
    }

    @ParameterizedTest
    @MethodSource("rfc9578")
    void blindsAndFinishesAsTheClientOfRfc9578(JsonNode vector) {
        IssuerKey key = IssuerKey.read(VoprfP384.TYPE, Vectors.bytes(vector, "pkS"));
        Bytes32 digest = TokenChallenge.sha256(Vectors.bytes(vector, "token_challenge"));

        PendingToken pending =
                scheme.begin(key, digest, Vectors.bytes(vector, "nonce"), Vectors.number(vector, "blind"), random);

        assertThat(pending.request().encode()).isEqualTo(Vectors.bytes(vector, "token_request"));
        assertThat(pending.finish(Vectors.bytes(vector, "token_response")).bytes())
                .isEqualTo(Vectors.bytes(vector, "token"));
    }

    @ParameterizedTest
    @MethodSource("rfc9578")
    void evaluatesAsTheIssuerOfRfc9578(JsonNode vector) {
        VoprfServerKey serverKey = new VoprfServerKey(VoprfP384.TYPE, Vectors.number(vector, "skS"));
        TokenRequest request = TokenRequest.decode(Vectors.bytes(vector, "token_request"));
        assertThat(request).isNotNull();

        byte[] response = serverKey.sign(request.blinded());

        assertThat(serverKey.published().encoded()).isEqualTo(Vectors.bytes(vector, "pkS"));
        assertThat(request.keyIdEnd()).isEqualTo(serverKey.published().id().last());
        assertThat(response).hasSize(145);
        // The proof contains a random number; the element before it does not.
        assertThat(Arrays.copyOf(response, 49)).isEqualTo(Arrays.copyOf(Vectors.bytes(vector, "token_response"), 49));
        PendingToken pending = scheme.begin(
                serverKey.published(),
                TokenChallenge.sha256(Vectors.bytes(vector, "token_challenge")),
                Vectors.bytes(vector, "nonce"),
                Vectors.number(vector, "blind"),
                random);
        assertThat(pending.finish(response).bytes()).isEqualTo(Vectors.bytes(vector, "token"));
    }

    @ParameterizedTest
    @MethodSource("rfc9578")
    void acceptsTheTokensOfRfc9578UnderEveryProvider(JsonNode vector) {
        VoprfServerKey serverKey = new VoprfServerKey(VoprfP384.TYPE, Vectors.number(vector, "skS"));
        Token token = Token.parse(Vectors.bytes(vector, "token"));
        assertThat(token).isNotNull();

        for (String provider : SignatureProvider.names()) {
            SignatureCheck check = SignatureProvider.named(provider).check(serverKey.published());
            assertThat(check.accepts(token)).as(provider).isTrue();
            assertThat(check.accepts(token)).as(provider).isTrue();
        }
        assertThat(token.keyId()).isEqualTo(serverKey.published().id());
    }

    @ParameterizedTest
    @MethodSource("rfc9497")
    void followsRfc9497StepByStep(JsonNode vector) {
        VoprfServerKey serverKey = new VoprfServerKey(VoprfP384.TYPE, Vectors.number(vector, "skSm"));
        byte[] input = Vectors.bytes(vector, "Input");
        BlindedScalarMultiplier multiplier = new BlindedScalarMultiplier(random);

        ECPoint blinded = multiplier.of(Vectors.number(vector, "Blind"), Voprf.element(input));
        ECPoint evaluated = multiplier.of(serverKey.scalar(), blinded);
        Dleq proof = Dleq.prove(serverKey, blinded, evaluated, Vectors.number(vector, "ProofRandomScalar"), multiplier);

        assertThat(P384.encode(serverKey.element())).isEqualTo(Vectors.bytes(vector, "pkSm"));
        assertThat(P384.encode(blinded)).isEqualTo(Vectors.bytes(vector, "BlindedElement"));
        assertThat(P384.encode(evaluated)).isEqualTo(Vectors.bytes(vector, "EvaluationElement"));
        assertThat(proof.encode()).isEqualTo(Vectors.bytes(vector, "Proof"));
        assertThat(proof.proves(serverKey.element(), blinded, evaluated)).isTrue();
        assertThat(Voprf.finish(input, multiplier.of(serverKey.scalar(), Voprf.element(input))))
                .isEqualTo(Vectors.bytes(vector, "Output"));
    }

    @ParameterizedTest
    @MethodSource("rfc9380")
    void hashesToTheCurveAsRfc9380(JsonNode vector) {
        ECPoint point =
                HashToCurve.element(Vectors.bytes(vector, "msg"), "QUUX-V01-CS02-with-P384_XMD:SHA-384_SSWU_RO_");

        assertThat(point.getAffineXCoord().toBigInteger()).isEqualTo(Vectors.number(vector, "x"));
        assertThat(point.getAffineYCoord().toBigInteger()).isEqualTo(Vectors.number(vector, "y"));
    }
}
