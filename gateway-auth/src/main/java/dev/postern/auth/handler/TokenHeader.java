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
 * The field that holds the token: {@code Authorization} in front of a site, {@code Proxy-Authorization} on the way out, or the one that
 * the settings name for sites that need {@code Authorization} themselves.
 */
final class TokenHeader {

    private static final FieldName SCHEME = FieldName.of("privatetoken");
    private static final DecodeResult MISSING = TokenDecoder.decode(null);
    private static final DecodeResult SEVERAL = new DecodeResult.Malformed("several credential fields");

    private final FieldName reverse;
    private final FieldName forward;
    private final Predicate<TokenType> asked;

    /**
     * @param tokenHeader as configured; {@code authorization} stands for the field that the listener's mode calls for
     * @param types that are asked for
     */
    TokenHeader(FieldName tokenHeader, List<TokenType> types) {
        boolean standard = tokenHeader.equals(FieldName.AUTHORIZATION);
        reverse = tokenHeader;
        forward = standard ? FieldName.PROXY_AUTHORIZATION : tokenHeader;
        asked = List.copyOf(types)::contains;
    }

    /** Whether there is a token, well-formed or not. */
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
        // Credentials are no list: of two fields nobody knows which one counts (RFC 9110 section 5.3).
        if (head.next(name, index + 1) >= 0) {
            return SEVERAL;
        }
        int start = head.valueStart(index);
        return TokenDecoder.decode(head.bytes(), start, start + head.valueLength(index), asked);
    }

    /**
     * Takes every token out, good or not: who sees one that is not spent could spend it. Leaves credentials of other schemes in {@code
     * Authorization}, and on the way out all of them, which are for the destination. Recognises tokens by their scheme and decodes none.
     */
    void removeTokens(RequestHead head, ListenerInfo listener) {
        FieldName name = name(listener);
        if (!name.equals(FieldName.AUTHORIZATION)) {
            head.remove(name); // for tokens alone
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

    /** Takes the credential out, so that no upstream ever sees it. */
    void remove(RequestHead head, ListenerInfo listener) {
        head.remove(name(listener));
    }

    private static boolean token(RequestHead head, int index) {
        int start = head.valueStart(index);
        return TokenDecoder.isPrivateToken(head.bytes(), start, start + head.valueLength(index));
    }

    private FieldName name(ListenerInfo listener) {
        return listener.reverse() ? reverse : forward;
    }
}
