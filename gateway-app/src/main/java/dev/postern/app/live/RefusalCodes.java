package dev.postern.app.live;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the tables of docs/refusals.md, which is shipped in the program, as HTML: each code with its cause and what to do. */
final class RefusalCodes {

    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z0-9-]+)` \\| \\d+ \\| [a-z]+ \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    private RefusalCodes() {}

    /** @param markdown whose rows are code, status, blame, cause and what to do */
    static String html(String markdown) {
        StringBuilder out = new StringBuilder();
        Matcher row = ROW.matcher(markdown);
        while (row.find()) {
            out.append("<dt id=\"code-")
                    .append(row.group(1))
                    .append("\"><code>")
                    .append(row.group(1))
                    .append("</code></dt><dd>")
                    .append(inline(row.group(2)))
                    .append(" <em>")
                    .append(inline(row.group(3)))
                    .append("</em></dd>\n");
        }
        return out.toString();
    }

    /** Links lead into the docs, which are not there: their words stay. */
    private static String inline(String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return CODE.matcher(LINK.matcher(escaped).replaceAll("$1")).replaceAll("<code>$1</code>");
    }
}
