package dev.postern.app;

/** The program's entrance. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(0);
    }
}
