package dev.postern.core.redis;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Permission that the gateway needs at Redis, with a call that shows whether the user has it. Redis checks permissions before anything else,
 * so that each other error reply shows that the command is permitted.
 *
 * @param name command as in an ACL rule, such as {@code script|load}
 * @param words of the call, in which {@code KEY} stands for a key that only this check uses
 */
public record RedisPermission(String name, List<String> words) {

    private static final String KEY = "KEY";

    private static final String NO_SCRIPT = "0".repeat(40);

    private static final List<RedisPermission> BOTH = calls(
            "info server",
            "evalsha " + NO_SCRIPT + " 1 KEY",
            "eval return(0) 1 KEY",
            "get KEY",
            "set KEY 1 PX 1",
            "del KEY");

    private static final List<RedisPermission> LEDGER = calls("script|load return(0)", "wait 0 1");

    private static final List<RedisPermission> ROOMS = calls(
            "time",
            "pexpire KEY 1",
            "exists KEY",
            "unlink KEY",
            "hset KEY:h a 1",
            "hlen KEY:h",
            "hget KEY:h a",
            "hmget KEY:h a b",
            "hdel KEY:h a",
            "rpush KEY:l a",
            "lindex KEY:l 0",
            "lpop KEY:l",
            "zadd KEY:z GT 1 a",
            "zcard KEY:z",
            "zcount KEY:z 0 1",
            "zscore KEY:z a",
            "zmscore KEY:z a b",
            "zrank KEY:z a",
            "zrange KEY:z 0 0",
            "zrangebyscore KEY:z 0 1",
            "zrem KEY:z b",
            "zremrangebyrank KEY:z 5 5",
            "zremrangebyscore KEY:z 5 5",
            "zpopmin KEY:z");

    private static final List<RedisPermission> CLUSTER = calls("cluster|slots", "cluster|nodes");

    /** Returns what the spend ledger needs. */
    public static List<RedisPermission> ledger(boolean cluster) {
        return joined(LEDGER, cluster);
    }

    /** Returns what rooms and limits need. */
    public static List<RedisPermission> rooms(boolean cluster) {
        return joined(ROOMS, cluster);
    }

    private static List<RedisPermission> joined(List<RedisPermission> own, boolean cluster) {
        return Stream.of(BOTH, own, cluster ? CLUSTER : List.<RedisPermission>of())
                .flatMap(List::stream)
                .toList();
    }

    private static List<RedisPermission> calls(String... texts) {
        return Arrays.stream(texts).map(RedisPermission::of).toList();
    }

    private static RedisPermission of(String text) {
        List<String> words = List.of(text.split(" ", -1));
        String name = words.get(0);
        Stream<String> command = Arrays.stream(name.split("\\|", -1));
        return new RedisPermission(
                name, Stream.concat(command, words.stream().skip(1)).toList());
    }

    /** Returns the words of the call with that key. */
    public List<String> call(String key) {
        return words.stream()
                .map(word -> word.startsWith(KEY) ? key + word.substring(KEY.length()) : word)
                .toList();
    }

    /**
     * Returns whether a reply to a permitted call shows that the server takes no such calls now, whatever their arguments.
     *
     * @param error error reply, or empty
     */
    public static boolean refused(String error) {
        RedisErrorReply reply = error.isEmpty() ? null : RedisErrorReply.of(error);
        return reply != null && reply.unavailable();
    }

    /**
     * Returns whether a reply to the call shows that the user has the permission.
     *
     * @param error error reply, or empty
     */
    public static boolean granted(String error) {
        RedisErrorReply reply = error.isEmpty() ? null : RedisErrorReply.of(error);
        return reply == null || !reply.code().equals("NOPERM") && !reply.unknownCommand();
    }
}
