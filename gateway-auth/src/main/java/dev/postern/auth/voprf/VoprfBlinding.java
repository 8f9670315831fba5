package dev.postern.auth.voprf;

import dev.postern.auth.issue.PendingToken;
import dev.postern.auth.issue.TokenRequest;
import dev.postern.auth.token.Token;
import java.math.BigInteger;
import java.util.Arrays;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;

/** Blinding of one evaluation, on the client's side: Blind and Finalize (RFC 9497 section 3.3.2, RFC 9578 section 5). */
final class VoprfBlinding implements PendingToken {

    private final VoprfKey key;
    private final byte[] input;
    private final BigInteger blind;
    private final BlindedScalarMultiplier multiplier;
    private final ECPoint blinded;

    /**
     * @param input the part of the token that the authenticator covers
     * @param blind a random scalar that is used once
     */
    VoprfBlinding(VoprfKey key, byte[] input, BigInteger blind, BlindedScalarMultiplier multiplier) {
        this.key = key;
        this.input = input;
        this.blind = blind;
        this.multiplier = multiplier;
        this.blinded = multiplier.of(blind, Voprf.element(input));
    }

    @Override
    public TokenRequest request() {
        return new TokenRequest(key.type(), key.id().last(), P384.encode(blinded));
    }

    @Override
    public Token finish(byte[] response) {
        ECPoint evaluated = P384.element(Arrays.copyOf(response, P384.ELEMENT));
        Dleq proof = response.length == VoprfP384.RESPONSE
                ? Dleq.decode(Arrays.copyOfRange(response, P384.ELEMENT, VoprfP384.RESPONSE))
                : null;
        if (evaluated == null || proof == null) {
            throw new IllegalArgumentException("evaluation: " + response.length + " bytes (expected: "
                    + VoprfP384.RESPONSE + ", an element and a proof)");
        }
        if (!proof.proves(key.element(), blinded, evaluated)) {
            throw new IllegalArgumentException(
                    "evaluation: proof wrong (expected: made with the issuer's published key)");
        }
        ECPoint issued = multiplier.of(BigIntegers.modOddInverse(P384.ORDER, blind), evaluated);
        return Token.of(input, Voprf.finish(input, issued));
    }
}
