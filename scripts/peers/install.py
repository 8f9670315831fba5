"""Installs what clients need: programs by apt, libraries by the package clients of their languages, each below target/clients."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from processes import HOME, PEERS, WORK, Failure, certificate, run


def packages(*names):
    """Programs of the system; a name may be PROGRAM:PACKAGE."""
    done = subprocess.run([HOME / "scripts" / "install-packages", *names], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"missing: {' '.join(done.stdout.split())} (expected: installed; as root on a Debian system this script does it)")


def once(folder, target, install):
    """Installs from a folder of scripts/peers, again only when a file in it has changed."""
    digest = hashlib.sha256()
    for file in sorted(file for file in (PEERS / folder).rglob("*") if file.is_file()):
        digest.update(str(file.relative_to(PEERS)).encode() + file.read_bytes())
    stamp = WORK / f"{target}.installed"
    if not stamp.exists() or stamp.read_text() != digest.hexdigest():
        install()
        stamp.write_text(digest.hexdigest())


def java():
    home = os.environ.get("JAVA_HOME")
    return Path(home) / "bin" / "java" if home else "java"


def trust_store():
    """The certificate for clients of the JVM."""
    store = WORK / "tls" / "trust.p12"
    if not store.exists() or store.stat().st_mtime < certificate().stat().st_mtime:
        store.unlink(missing_ok=True)
        home = os.environ.get("JAVA_HOME")
        run([Path(home) / "bin" / "keytool" if home else "keytool", "-importcert", "-noprompt", "-alias", "localhost", "-file", certificate(),
             "-keystore", store, "-storetype", "PKCS12", "-storepass", "changeit"])
    return store


def maven(folder):
    """Builds a project and returns the words that start its main class."""
    once(folder, folder, lambda: run([HOME / "mvnw", "-q", "-f", PEERS / folder / "pom.xml", "clean", "package"], cwd=HOME))
    target = WORK / folder
    return [java(), f"-Djavax.net.ssl.trustStore={trust_store()}", "-Djavax.net.ssl.trustStorePassword=changeit", "-XX:TieredStopAtLevel=1",
            "-cp", f"{target}/{folder}.jar:{target}/lib/*"]


def npm(folder):
    """Installs the packages of a lock file and returns the folder, in which the programs are too."""
    target = WORK / folder

    def install():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(PEERS / folder, target)
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"], cwd=target)

    once(folder, folder, install)
    return target


def pip(folder):
    """Makes a virtual environment with the packages of requirements.txt and returns its interpreter."""
    target = WORK / folder

    def install():
        if subprocess.run(["python3", "-c", "import ensurepip"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            packages("/usr/share/doc/python3-venv:python3-venv")
        shutil.rmtree(target, ignore_errors=True)
        run(["python3", "-m", "venv", target])
        run([target / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", PEERS / folder / "requirements.txt"])

    once(folder, folder, install)
    return target / "bin" / "python"


def go(folder):
    """Builds a program of one Go module and returns its path."""
    target = WORK / folder
    once(folder, folder, lambda: run(["go", "build", "-o", target, "."], cwd=PEERS / folder))
    return target
