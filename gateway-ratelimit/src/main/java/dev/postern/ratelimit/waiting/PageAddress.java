package dev.postern.ratelimit.waiting;

/**
 * Address of a requested page relative to itself, without fragment: browsers that are to load it again by their address, such as {@code
 * /bread#crust}, would only move to the fragment. Relative, because a proxy before the gateway may have removed the begin of the path.
 */
final class PageAddress {

    /** Characters of a path segment or query (RFC 3986 sections 3.3 and 3.4) without the quote, and the percent sign of escapes. */
    private static final String PLAIN = "-._~!$&()*+,;=:@/?%";

    private PageAddress() {}

    /**
     * Returns the address, which begins with a dot and a slash, so that it can't name another site. Contains no character that ends an HTML
     * attribute.
     *
     * @param path as the client sent it
     * @param query with its {@code ?}, or empty; each char is a byte
     */
    static String of(String path, String query) {
        String rest = path.substring(path.lastIndexOf('/') + 1) + query;
        StringBuilder out = new StringBuilder(rest.length() + 16).append("./");
        for (int i = 0; i < rest.length(); i++) {
            char c = rest.charAt(i);
            boolean alphanumeric = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (alphanumeric || PLAIN.indexOf(c) >= 0) {
                out.append(c);
            } else {
                out.append(String.format("%%%02X", c & 0xff));
            }
        }
        return out.toString();
    }
}
