package dev.postern.app.cli;

/** Argument that the command can't use. The message contains option, value and expected value; the exit code is 2. */
final class WrongArgument extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    WrongArgument(String message) {
        super(message);
    }
}
