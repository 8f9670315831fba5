"""The table of servers behind the gateway: how each is installed and started, and what is done with it."""

import glob
import hashlib
import os
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import install
from processes import PEERS, WORK, Failure, run
from scenarios import MIB, Wrong, chunked, download, get, head, keep_alive, none, path, pieces, post, post_empty, upload

ORIGIN = (get, keep_alive, none, pieces, post, post_empty, chunked, upload, download, path)
FILES = (get, head, keep_alive, download)


@dataclass
class Server:
    name: str  # also the first segment of its paths
    start: Callable  # installs and starts it with the processes given, returns its port
    scenarios: tuple = ()  # by curl, without TLS and over HTTP/2
    checks: tuple = ()  # functions of the URL of the server through the gateway
    packages: tuple = ()
    without: tuple = ()
    stage: str = "full"
    ways: tuple = ("server",)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def listening(processes, name, command, port, **options):
    """Starts a server that does not tell when it listens."""
    processes.start(name, command, "", **options)
    processes.listening(name, port)
    return port


def told(processes, name, command, **options):
    return int(processes.start(name, command, r"port (\d+)$", **options).group(1))


def folder(name):
    """An empty folder that programs of other users reach too, wherever the project lies."""
    made = Path(tempfile.gettempdir()) / f"postern-{os.getpid()}" / name
    made.mkdir(parents=True, exist_ok=True)
    return made


def clean():
    shutil.rmtree(folder("."), ignore_errors=True)


# --- servers ---------------------------------------------------------------------------------------------------------------------------

def nginx(processes, name, location, user="root"):
    base, port = folder(name), free_port()
    (base / name).mkdir()
    (base / name / "hello").write_text("hello\n")
    for count in (1000, 8 * MIB):
        (base / name / "bytes").mkdir(exist_ok=True)
        (base / name / "bytes" / str(count)).write_bytes((bytes(range(251)) * (count // 251 + 1))[:count])
    temporary = " ".join(f"{kind}_temp_path {base}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (base / "nginx.conf").write_text(f"""daemon off; pid {base}/pid; error_log {base}/error.log; {'user root;' if os.geteuid() == 0 else ''}
events {{}}
http {{ access_log off; {temporary} client_max_body_size 64m;
  server {{ listen 127.0.0.1:{port}; root {base}; location / {{ {location} }} }} }}
""")
    return listening(processes, name, [shutil.which("nginx") or "/usr/sbin/nginx", "-c", base / "nginx.conf"], port)


def php(processes):
    base = folder("php-fpm")
    (base / "fpm.conf").write_text(f"""[global]
error_log = {base}/error.log
[www]
listen = {base}/socket
{'user = root' if os.geteuid() == 0 else ''}
pm = static
pm.max_children = 4
php_admin_value[memory_limit] = 256M
php_admin_value[post_max_size] = 64M
""")
    processes.start("php-fpm", [sorted(glob.glob("/usr/sbin/php-fpm*"))[-1], "--nodaemonize", "--allow-to-run-as-root", "--fpm-config", base / "fpm.conf"], "")
    return nginx(processes, "php", f"""fastcgi_pass unix:{base}/socket; fastcgi_buffering off; fastcgi_param SCRIPT_FILENAME {PEERS}/servers/index.php;
      fastcgi_param REQUEST_METHOD $request_method; fastcgi_param REQUEST_URI $request_uri; fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param CONTENT_TYPE $content_type; fastcgi_param SERVER_PROTOCOL $server_protocol;""")


def apache(processes):
    base, port = folder("apache"), free_port()
    for name in ("dav", "locks"):
        (base / name).mkdir()
    run(["git", "init", "--quiet", "--bare", base / "git" / "repository.git"])
    run(["git", "-C", base / "git" / "repository.git", "config", "http.receivepack", "true"])
    if os.geteuid() == 0:
        run(["chown", "-R", "www-data:www-data", base])
    modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
                      for name in ("mpm_prefork", "authz_core", "dav", "dav_fs", "dav_lock", "cgi", "alias", "env", "mime"))
    (base / "apache.conf").write_text(f"""{modules}
ServerRoot {base}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {base}/pid
Mutex pthread
ErrorLog {base}/error.log
TypesConfig /etc/mime.types
DocumentRoot {base}
{'User www-data' if os.geteuid() == 0 else ''}
{'Group www-data' if os.geteuid() == 0 else ''}
LimitXMLRequestBody 1048576
DavLockDB {base}/locks/lock
<Directory {base}>
  Require all granted
</Directory>
<Location /apache/dav>
  Dav On
</Location>
Alias /apache/dav {base}/dav
SetEnv GIT_PROJECT_ROOT {base}/git
SetEnv GIT_HTTP_EXPORT_ALL 1
SetEnv HOME {base}
ScriptAlias /apache/git/ /usr/lib/git-core/git-http-backend/
<Directory /usr/lib/git-core>
  Require all granted
  Options +ExecCGI
</Directory>
""")
    return listening(processes, "apache", ["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", base / "apache.conf"], port)


def registry(processes):
    base, port = folder("registry"), free_port()
    (base / "config.yml").write_text(f"""version: 0.1
log: {{level: warn}}
storage: {{filesystem: {{rootdirectory: {base}/data}}, delete: {{enabled: true}}}}
http: {{addr: "127.0.0.1:{port}", prefix: /registry/}}
""")
    return listening(processes, "registry", ["docker-registry", "serve", base / "config.yml"], port)


def gunicorn(processes):
    port = free_port()
    return listening(processes, "gunicorn", [install.pip("python"), "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", "2", "--threads", "4",
                                             "--keep-alive", "5", "wsgi:application"], port, cwd=PEERS / "servers")


def uvicorn(processes):
    port = free_port()
    return listening(processes, "uvicorn", [install.pip("python"), "-m", "uvicorn", "--port", port, "--no-access-log", "asgi:application"], port,
                     cwd=PEERS / "servers")


# --- checks ----------------------------------------------------------------------------------------------------------------------------

def conditional(url):
    """Ranges and validators of a file."""
    base = ["curl", "--silent", "--show-error", "--dump-header", "-", "--output", os.devnull]
    first = run([*base, f"{url}/hello"])
    tag = next(line for line in first.splitlines() if line.lower().startswith("etag:")).split(":", 1)[1].strip()
    for fields, status in ((["Range: bytes=1-3"], "206"), (["Range: bytes=100-"], "416"), ([f"If-None-Match: {tag}"], "304")):
        response = run([*base, *(word for field in fields for word in ("--header", field)), f"{url}/hello"]).split()[1]
        if response != status:
            raise Wrong(f"{fields}: {response} (expected: {status})")


def litmus(url):
    """The suite of WebDAV."""
    done = subprocess.run(["litmus", f"{url}/dav/"], cwd=folder("litmus"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    (WORK / "logs" / "litmus.log").write_text(done.stdout)
    if done.returncode != 0 or "FAIL" in done.stdout:
        raise Wrong("; ".join(line.strip() for line in done.stdout.splitlines() if "FAIL" in line or "error" in line)[:600])


def push(url):
    """A push of 200 MB and a clone of it."""
    base = folder("git")
    work = base / "work"
    run(["git", "init", "--quiet", work])
    for number in range(50):
        (work / f"file{number}").write_bytes(os.urandom(4 * MIB))
    git = ["git", "-C", work, "-c", "user.name=peer", "-c", "user.email=peer@localhost", "-c", "core.compression=0", "-c", "pack.window=0"]
    run([*git, "add", "."])
    run([*git, "commit", "--quiet", "--message", "files"])
    try:
        run([*git, "push", "--quiet", f"{url}/git/repository.git", "HEAD:refs/heads/main"])
        run(["git", "clone", "--quiet", "--branch", "main", f"{url}/git/repository.git", base / "clone"])
    except Failure as what:
        raise Wrong(str(what)) from what
    if run(["git", "-C", work, "rev-parse", "HEAD"]) != run(["git", "-C", base / "clone", "rev-parse", "HEAD"]):
        raise Wrong("the clone has another commit (expected: that which was pushed)")


def blobs(url):
    """A blob in pieces as docker pushes it, a manifest, and both back."""
    curl = ["curl", "--silent", "--show-error", "--fail", "--dump-header", "-"]
    content = os.urandom(20 * MIB)
    file = folder("blob") / "blob"
    file.write_bytes(content)
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"

    def location(response):
        return next(line for line in response.splitlines() if line.lower().startswith("location:")).split(":", 1)[1].strip()

    octets = ("--header", "Content-Type: application/octet-stream")
    try:
        upload_at = location(run([*curl, "--request", "POST", "--data", "", f"{url}/v2/peer/blobs/uploads/"]))
        upload_at = location(run([*curl, "--request", "PATCH", *octets, "--header", "Transfer-Encoding: chunked", "--upload-file", file, upload_at]))
        run([*curl, "--request", "PUT", "--data", "", f"{upload_at}{'&' if '?' in upload_at else '?'}digest={digest}"])
        run([*curl[:-2], "--location", "--output", file, f"{url}/v2/peer/blobs/{digest}"])
    except Failure as what:
        raise Wrong(str(what)) from what
    if file.read_bytes() != content:
        raise Wrong("the blob differs (expected: as it was pushed)")


GO = ("go:golang",)
PHP = ("nginx:nginx-light", "/usr/share/doc/php-fpm:php-fpm")
DAV = ("/usr/sbin/apache2:apache2", "litmus", "git", "/etc/mime.types:media-types")

ALL = (
    Server("nginx", lambda processes: nginx(processes, "nginx", ""), FILES, (conditional,), ("nginx:nginx-light",)),
    Server("apache", apache, (), (litmus, push), DAV),
    Server("php", php, ORIGIN, packages=PHP),
    Server("tomcat", lambda processes: told(processes, "tomcat", [*install.maven("java"), "dev.postern.peers.TomcatOrigin"]), ORIGIN),
    Server("gunicorn", gunicorn, ORIGIN, packages=("python3",)),
    Server("uvicorn", uvicorn, ORIGIN, packages=("python3",)),
    Server("go-server", lambda processes: told(processes, "go-server", [install.go("go"), "serve"]), ORIGIN, packages=GO),
    Server("registry", registry, (), (blobs,), ("docker-registry",)),
)
