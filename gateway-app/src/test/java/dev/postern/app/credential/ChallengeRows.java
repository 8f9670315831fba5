package dev.postern.app.credential;

import static dev.postern.app.credential.ExpectedResponse.WRONG_CHALLENGE;
import static dev.postern.app.credential.Row.bad;
import static dev.postern.app.credential.Row.odd;
import static dev.postern.app.credential.Row.other;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.token.Base64Url;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Rules for correctly signed tokens that belong to a challenge that is not accepted for this request. */
final class ChallengeRows {

    private static final String CHALLENGE = "RFC 9577 section 2.1.1";
    private static final String CONTEXT = "RFC 9577 section 2.1.1.2";
    private static final String DIGEST = "RFC 9577 section 2.2.1";

    private ChallengeRows() {}

    static List<Row> rows() {
        return Stream.of(good(), origins(), fields(), contexts(), digests())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Row> good() {
        return List.of(
                odd(
                        "asked one window ago",
                        CONTEXT,
                        m -> m.line(m.responding(m.foreign().previous()))),
                other(
                        "responds to the other issuer's challenge",
                        "RFC 9577 section 2.1.2.1",
                        m -> m.line(m.mints()
                                .other()
                                .token(m.foreign().otherIssuer(), m.nonce())
                                .bytes())));
    }

    private static Row wrong(String name, String rule, UnaryOperator<TokenChallenge> change) {
        return bad(
                name,
                rule,
                WRONG_CHALLENGE,
                m -> m.line(m.responding(change.apply(m.challenge()).encode())));
    }

    private static Row origins(String name, UnaryOperator<String> change) {
        return wrong(
                name,
                "RFC 9577 section 5.4",
                c -> new TokenChallenge(
                        c.tokenType(), c.issuerName(), c.redemptionContext(), change.apply(c.originInfo())));
    }

    private static List<Row> origins() {
        return List.of(
                origins("another origin", origins -> "attacker.example"),
                origins("another origin beside ours", origins -> origins + ",attacker.example"),
                origins("only the first of our origins", origins -> origins.substring(0, origins.indexOf(','))),
                origins("our origins in another order", ChallengeRows::turned),
                origins("our origins in capitals", origins -> origins.toUpperCase(Locale.ROOT)),
                origins("our origins with a blank between", origins -> origins.replace(",", ", ")),
                origins("our first origin with its port", origins -> origins.replaceFirst(",", ":443,")),
                origins("no origin, for all origins", origins -> ""));
    }

    private static String turned(String origins) {
        String[] names = origins.split(",");
        return names[1] + "," + names[0];
    }

    private static List<Row> fields() {
        return List.of(
                wrong(
                        "challenge of type 1",
                        CHALLENGE,
                        c -> new TokenChallenge(1, c.issuerName(), c.redemptionContext(), c.originInfo())),
                wrong(
                        "challenge of a GREASE type",
                        "RFC 9577 section 6.2.1",
                        c -> new TokenChallenge(0x02AA, c.issuerName(), c.redemptionContext(), c.originInfo())),
                wrong(
                        "challenge of an unknown issuer",
                        CHALLENGE,
                        c -> new TokenChallenge(
                                c.tokenType(), "attacker.example", c.redemptionContext(), c.originInfo())),
                wrong(
                        "issuer's name in capitals",
                        CHALLENGE,
                        c -> new TokenChallenge(
                                c.tokenType(),
                                c.issuerName().toUpperCase(Locale.ROOT),
                                c.redemptionContext(),
                                c.originInfo())),
                bad(
                        "one byte more behind the challenge",
                        CHALLENGE,
                        WRONG_CHALLENGE,
                        m -> m.line(m.responding(Arrays.copyOf(m.challengeBytes(), m.challengeBytes().length + 1)))),
                bad(
                        "last byte of the challenge missing",
                        CHALLENGE,
                        WRONG_CHALLENGE,
                        m -> m.line(m.responding(Arrays.copyOf(m.challengeBytes(), m.challengeBytes().length - 1)))));
    }

    private static Row context(String name, UnaryOperator<byte[]> change) {
        return wrong(
                name,
                CONTEXT,
                c -> new TokenChallenge(
                        c.tokenType(),
                        c.issuerName(),
                        change.apply(c.redemptionContext().clone()),
                        c.originInfo()));
    }

    private static Row foreign(String name, Function<ForeignChallenges, byte[]> challenge) {
        return bad(name, CONTEXT, WRONG_CHALLENGE, m -> m.line(m.responding(challenge.apply(m.foreign()))));
    }

    private static List<Row> contexts() {
        return List.of(
                context("no context", context -> new byte[0]),
                context("context of zeros", context -> new byte[32]),
                context("one bit of the context", context -> {
                    context[31] ^= 1;
                    return context;
                }),
                foreign("asked on another route or listener", ForeignChallenges::otherPlace),
                foreign("asked in another namespace", ForeignChallenges::otherNamespace),
                foreign("asked three windows ago", ForeignChallenges::expired),
                foreign("asked two windows ahead", ForeignChallenges::ahead));
    }

    private static Row digest(String name, Function<Material, Bytes32> digest) {
        return bad(name, DIGEST, WRONG_CHALLENGE, m -> m.line(m.digest(digest.apply(m))));
    }

    private static List<Row> digests() {
        return List.of(
                digest(
                        "digest of the challenge's text",
                        m -> TokenChallenge.sha256(
                                Base64Url.encode(m.challengeBytes()).getBytes(US_ASCII))),
                digest(
                        "digest of the digest",
                        m -> TokenChallenge.sha256(m.token().challengeDigest().toArray())),
                digest("digest of nothing", m -> TokenChallenge.sha256(new byte[0])),
                digest(
                        "context in place of the digest",
                        m -> Bytes32.at(m.challenge().redemptionContext(), 0)));
    }
}
