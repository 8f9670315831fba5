package dev.postern.app.cli.option;

/** Argument that the command can't use. The message contains option, value and expected value; the exit code is 2. */
public final class WrongArgument extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public WrongArgument(String message) {
        super(message);
    }
}
