package dev.postern.app.cli;

/** An argument that the command can't use: its message says which, its value, and what was expected. The command line is wrong then (exit code 2). */
final class WrongArgument extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    WrongArgument(String message) {
        super(message);
    }
}
