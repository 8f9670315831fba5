package dev.postern.core.redis;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Error reply of Redis: its first word, and what it means for the operator. The rest of the text may have names and keys, and is not shown.
 *
 * @param code first word, such as {@code READONLY}
 * @param command command that the reply names, in lower case; empty without one
 */
record RedisErrorReply(String code, String text, String command) {

    /** First word of an error reply; a message of Java or of a library does not begin with a word in capitals. */
    private static final Pattern CODE = Pattern.compile("-?([A-Z]{3,20})(?= )");

    /** The reply to a command within a script, in the text of a Redis before 7. */
    private static final Pattern IN_SCRIPT = Pattern.compile("@user_script: ?\\d*:? ?-([A-Z]{3,20}) ");

    private static final Pattern COMMAND =
            Pattern.compile("the '([A-Za-z|_-]{1,40})' command|command ['`]([A-Za-z|_-]{1,40})['`]");

    /** Part of the reply of Redis 7.0 to a command of a script, which names neither command nor key. */
    private static final String SCRIPT_DENIED = "the user executing the script can't";

    private static final String LOGIN =
            "the server refuses user or password (expected: those of redis.uri or redis.uri-file)";

    /** Meaning by first word. */
    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            Map.entry("READONLY", Meaning.elsewhere("a replica, which stores nothing (expected: a master)")),
            Map.entry("MASTERDOWN", Meaning.elsewhere("a replica without its master (expected: a master)")),
            Map.entry("CLUSTERDOWN", Meaning.elsewhere("the Cluster is down, or a slot has no master")),
            Map.entry("REDIRECT", Meaning.elsewhere("another server is the master now")),
            Map.entry("UNBLOCKED", Meaning.elsewhere("the server became a replica")),
            Map.entry("NOAUTH", Meaning.elsewhere("the server requires a password (expected: one in redis.uri-file)")),
            Map.entry("WRONGPASS", Meaning.elsewhere(LOGIN)),
            Map.entry("LOADING", Meaning.here("the server is loading its data")),
            Map.entry("OOM", Meaning.here("the memory of the server is full (maxmemory)")),
            Map.entry(
                    "MISCONF",
                    Meaning.here("the server cannot save its data to disk, and stores nothing until it can")),
            Map.entry("NOREPLICAS", Meaning.here("the server has fewer replicas than its min-replicas-to-write")),
            Map.entry("BUSY", Meaning.here("the server is running a script of another client")),
            Map.entry(
                    "DENIED",
                    Meaning.here("the server is in protected mode: it has no password, and this is another host")),
            Map.entry("NOPROTO", Meaning.here("the server does not know this version of the protocol")),
            Map.entry("NOSCRIPT", Meaning.here("the server has forgotten the scripts; they are sent again")),
            Map.entry("TRYAGAIN", Meaning.here("the slot is moving to another node")));

    /** Meaning of a reply that begins with ERR, by a part of its text in lower case. */
    private static final Map<String, String> ERRORS = Map.of(
            "cluster support disabled", "no node of a Cluster (expected: one, or redis.cluster: false)",
            "max number of clients", "the server has as many clients as it permits (maxclients)",
            "db index", "the server has no database of this number",
            "select is not allowed", "a Cluster has only the database 0",
            "no password is set", "the server has no password (expected: none in the URI)",
            "without any password", "the server has no password (expected: none in the URI)",
            "no such master", "the Sentinels do not know the master (expected: the name in redis.sentinel.master)");

    /**
     * Meaning of a reply.
     *
     * @param elsewhere whether another server, or a new login, may do better
     */
    private record Meaning(String sentence, boolean elsewhere) {

        static Meaning elsewhere(String sentence) {
            return new Meaning(sentence, true);
        }

        static Meaning here(String sentence) {
            return new Meaning(sentence, false);
        }
    }

    /** Returns the reply, or null if the message of a failure is none. */
    static @Nullable RedisErrorReply of(String message) {
        Matcher first = CODE.matcher(message);
        if (!first.lookingAt()) {
            return null;
        }
        String text = message.toLowerCase(Locale.ROOT);
        Matcher inside = IN_SCRIPT.matcher(message);
        String code = inside.find() ? inside.group(1) : first.group(1);
        if (code.equals("ERR") && (text.contains("acl failure") || text.contains(SCRIPT_DENIED))) {
            code = "NOPERM";
        }
        return new RedisErrorReply(code, text, command(message));
    }

    private static String command(String message) {
        Matcher command = COMMAND.matcher(message);
        if (!command.find()) {
            return "";
        }
        String name = command.group(1) == null ? command.group(2) : command.group(1);
        return name.toLowerCase(Locale.ROOT);
    }

    /** Returns whether another server, or a new login, may do better. */
    boolean elsewhere() {
        Meaning meaning = MEANINGS.get(code);
        return meaning != null && meaning.elsewhere;
    }

    /** Returns whether the server refuses calls for its own state, and not for what a call says. */
    boolean unavailable() {
        return MEANINGS.containsKey(code) && !code.equals("NOSCRIPT") && !code.equals("TRYAGAIN");
    }

    /** @param cluster whether the gateway expects a Cluster */
    String sentence(boolean cluster) {
        Meaning meaning = MEANINGS.get(code);
        return code + ": " + (meaning == null ? special(cluster) : meaning.sentence);
    }

    private String special(boolean cluster) {
        return switch (code) {
            case "NOPERM" -> denied();
            case "MOVED", "ASK", "CROSSSLOT" ->
                cluster ? "the slot is on another node" : "a node of a Cluster (expected: redis.cluster: true)";
            case "ERR" -> error();
            default -> "an error reply";
        };
    }

    /** Returns whether the server does not have the command, or not under its name. */
    boolean unknownCommand() {
        return text.contains("unknown command") || text.contains("unknown redis command");
    }

    private String denied() {
        String unnamed = text.contains("can't run this command") ? "a command of the script" : "one of the keys";
        String what = command.isEmpty() ? unnamed : "the command " + command;
        return "the user may not use " + what + " (expected: the permissions in docs/deploy.md)";
    }

    private String error() {
        if (unknownCommand()) {
            return "the server does not have " + (command.isEmpty() ? "a command" : "the command " + command)
                    + " (expected: neither renamed nor disabled)";
        }
        return ERRORS.entrySet().stream()
                .filter(error -> text.contains(error.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("an error reply");
    }
}
