package dev.postern.ratelimit.redis;

/** Contains the scripts with one change: the clock of the server is their last argument. */
final class ClockedScript {

    static final Script ROOM = replaced(
            Script.ROOM,
            "local t = call('TIME')\nlocal wall = t[1] * 1000000 + t[2]\n",
            "local wall = num(table.remove(ARGV))\n");

    static final Script LIMIT = replaced(
            Script.LIMIT,
            "local t = redis.call('TIME')\nlocal now = t[1] * 1000000 + t[2]\n",
            "local now = tonumber(table.remove(ARGV))\n");

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

    private static Script replaced(Script script, String own, String given) {
        if (!script.text().contains(own)) {
            throw new IllegalStateException("the script reads the clock differently (expected: " + own + ")");
        }
        return Script.of(script.text().replace(own, given));
    }
}
