package dev.postern.app.config.read;

import java.util.Collection;

/** Suggests the known word that is nearest to a mistyped word (optimal string alignment distance). */
final class SpellingSuggestion {

    private SpellingSuggestion() {}

    /** Returns {@code , did you mean port?}, or an empty text if no candidate is near. */
    static String hint(String word, Collection<String> candidates) {
        String best = "";
        int min = Math.max(1, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < min) {
                min = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : ", did you mean " + best + "?";
    }

    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, d, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int[][] d, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int min = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(min, d[i - 2][j - 2] + 1) : min;
    }
}
