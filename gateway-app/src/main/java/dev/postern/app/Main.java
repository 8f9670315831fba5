package dev.postern.app;

import dev.postern.app.cli.PosternCommand;

/** The program's entrance. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(PosternCommand.execute(args));
    }
}
