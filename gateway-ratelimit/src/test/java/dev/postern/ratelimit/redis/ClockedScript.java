package dev.postern.ratelimit.redis;

/** Contains the script of a room with one change: the clock is its last argument instead of the clock of the server. */
final class ClockedScript {

    private static final String OWN = "local t = call('TIME')\nlocal now = t[1] * 1000000 + t[2]\n";

    static final Script ROOM = Script.of(replaced());

    private ClockedScript() {}

    /**
     * Returns the script with a planted fault.
     *
     * @throws IllegalStateException when the script does not contain the text that the fault replaces
     */
    static Script with(String right, String wrong) {
        if (!ROOM.text().contains(right)) {
            throw new IllegalStateException("room.lua: no longer has (expected): " + right);
        }
        return Script.of(ROOM.text().replace(right, wrong));
    }

    private static String replaced() {
        String text = Script.ROOM.text();
        if (!text.contains(OWN)) {
            throw new IllegalStateException("room.lua reads the clock differently (expected: " + OWN + ")");
        }
        return text.replace(OWN, "local now = num(table.remove(ARGV))\n");
    }
}
