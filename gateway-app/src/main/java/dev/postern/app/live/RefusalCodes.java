package dev.postern.app.live;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refusal codes as HTML, generated from the tables of docs/refusals.md, which the jar contains: each code with its cause and remedy. */
final class RefusalCodes {

    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z0-9-]+)` \\| \\d+ \\| [a-z]+ \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    private RefusalCodes() {}

    /** @param markdown with rows of code, status, blame, cause and remedy */
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

    /** Converts inline Markdown. Links are replaced by their text, since their targets are not in the jar. */
    private static String inline(String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return CODE.matcher(LINK.matcher(escaped).replaceAll("$1")).replaceAll("<code>$1</code>");
    }
}
