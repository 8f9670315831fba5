package dev.postern.auth.handler;

import dev.postern.auth.token.CredentialList;
import dev.postern.auth.token.DecodeResult;
import dev.postern.auth.token.TokenDecoder;
import dev.postern.auth.token.TokenType;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.util.List;
import java.util.function.Predicate;

/**
 * Header field with the token: {@code Authorization} on reverse listeners, {@code Proxy-Authorization} on forward ones, or the configured
 * field for sites that use {@code Authorization} themselves.
 */
final class TokenHeader {

    private static final FieldName SCHEME = FieldName.of("privatetoken");
    private static final DecodeResult MISSING = TokenDecoder.decode(null);
    private static final DecodeResult SEVERAL = new DecodeResult.Malformed("several credential fields");

    private final FieldName reverse;
    private final FieldName forward;
    private final Predicate<TokenType> enabled;

    /**
     * @param tokenHeader as configured; {@code authorization} stands for the field of the listener's mode
     * @param types accepted token types
     */
    TokenHeader(FieldName tokenHeader, List<TokenType> types) {
        boolean standard = tokenHeader.equals(FieldName.AUTHORIZATION);
        reverse = tokenHeader;
        forward = standard ? FieldName.PROXY_AUTHORIZATION : tokenHeader;
        enabled = List.copyOf(types)::contains;
    }

    /** Returns whether the field contains a token, well-formed or not. */
    boolean holdsToken(RequestHead head, ListenerInfo listener) {
        int index = head.next(name(listener), 0);
        return index >= 0 && token(head, index);
    }

    DecodeResult read(RequestHead head, ListenerInfo listener) {
        FieldName name = name(listener);
        int index = head.next(name, 0);
        if (index < 0) {
            return MISSING;
        }
        // Credentials are not a list, so two fields are ambiguous (RFC 9110 section 5.3).
        if (head.next(name, index + 1) >= 0) {
            return SEVERAL;
        }
        int start = head.valueStart(index);
        return TokenDecoder.decode(head.bytes(), start, start + head.valueLength(index), enabled);
    }

    /**
     * Removes every token, good or not: an upstream that sees an unspent token could spend it. Keeps credentials of other schemes in {@code
     * Authorization}; on forward listeners keeps all of that field, which is for the destination. Recognizes tokens by their scheme,
     * without decoding.
     */
    void removeTokens(RequestHead head, ListenerInfo listener) {
        FieldName name = name(listener);
        if (!name.equals(FieldName.AUTHORIZATION)) {
            head.remove(name); // this field carries tokens only
        }
        if (!listener.reverse()) {
            return;
        }
        int fields = head.fields();
        for (int i = head.next(FieldName.AUTHORIZATION, 0);
                i >= 0 && i < fields;
                i = head.next(FieldName.AUTHORIZATION, i + 1)) {
            if (head.commas(i) > 0) {
                removeTokensAt(head, i);
            } else if (token(head, i)) {
                head.removeAt(i);
            }
        }
    }

    private static void removeTokensAt(RequestHead head, int index) {
        if (!head.mentions(index, SCHEME)) {
            return;
        }
        String left = CredentialList.withoutTokens(head.valueAt(index));
        head.removeAt(index);
        if (!left.isEmpty()) {
            head.add(FieldName.AUTHORIZATION, left);
        }
    }

    private static boolean token(RequestHead head, int index) {
        int start = head.valueStart(index);
        return TokenDecoder.isPrivateToken(head.bytes(), start, start + head.valueLength(index));
    }

    private FieldName name(ListenerInfo listener) {
        return listener.reverse() ? reverse : forward;
    }
}
