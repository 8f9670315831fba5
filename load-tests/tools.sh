# Sourced by bench and run: builds the classes without the gates, and finds or installs the programs of other people.

# The programs named, from the system's packages; without starting their services.
need() {
    local missing=() tool policy=/usr/sbin/policy-rc.d own_policy=no
    for tool in "$@"; do
        command -v "$tool" > /dev/null || case $tool in
            nginx) missing+=(nginx-light) ;;
            redis-server | memcached | wrk | openssl) missing+=("$tool") ;;
            taskset) missing+=(util-linux) ;;
            rsvg-convert) missing+=(librsvg2-bin) ;;
            fc-list) missing+=(fontconfig fonts-dejavu-core) ;;
            ip | ss) missing+=(iproute2) ;;
            unshare | nsenter) missing+=(util-linux) ;;
            gcc) missing+=(gcc libc6-dev) ;;
            go) missing+=(golang-go) ;;
            h2load) missing+=(nghttp2-client) ;;
            *) missing+=("$tool") ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
        echo "missing: ${missing[*]} (expected: installed, for example by: apt-get install ${missing[*]})" >&2
        exit 2
    fi
    echo "installing ${missing[*]}" >&2
    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' > $policy && chmod +x $policy && own_policy=yes
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null ||
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null; } ||
        { [ $own_policy = yes ] && rm -f $policy; echo "installing ${missing[*]} failed" >&2; exit 2; }
    [ $own_policy = yes ] && rm -f $policy
    return 0
}

# Prints the root file system with nginx and HAProxy of Debian 13, which is made once; fails where that isn't possible.
newer_root() {
    local root=${XDG_CACHE_HOME:-$HOME/.cache}/postern/trixie-peers
    if [ ! -d "$root" ]; then
        need debootstrap >&2
        mkdir -p "${root%/*}"
        rm -rf "$root.part"
        echo "making $root with debootstrap" >&2
        debootstrap --variant=minbase --include=nginx-light,haproxy trixie "$root.part" > "$root.log" 2>&1 || {
            echo "debootstrap failed, see $root.log: the peers of this system decide" >&2
            return 1
        }
        mv "$root.part" "$root"
    fi
    echo "$root"
}

# Prints the program oauth2-proxy, which Go builds once from its module proxy; fails where that isn't possible.
oauth2_proxy() {
    local version=v7.15.6 module=github.com/oauth2-proxy/oauth2-proxy/v7 folder
    folder=${XDG_CACHE_HOME:-$HOME/.cache}/postern/oauth2-proxy-$version
    if [ ! -x "$folder/oauth2-proxy" ]; then
        need go >&2
        mkdir -p "$folder"
        echo "building oauth2-proxy $version, once: $folder" >&2
        GOBIN=$folder go install -ldflags "-X $module/pkg/version.VERSION=$version" "$module@$version" \
            > "$folder/install.log" 2>&1 || {
            echo "go install failed, see $folder/install.log: the goal beside oauth2-proxy is missed" >&2
            return 1
        }
    fi
    echo "$folder/oauth2-proxy"
}

# Builds what is older than its sources; offline when everything is there already.
build() {
    local stamp=load-tests/target/classpath.txt
    if [ -s $stamp ] && [ -z "$(find pom.xml ./*/pom.xml ./*/src -newer $stamp -print -quit)" ]; then
        return
    fi
    echo "building" >&2
    local goals=(-q -Dquick -DskipTests -pl load-tests -am test-compile dependency:build-classpath
        -Dmdep.outputFile=target/classpath.txt)
    ./mvnw -o "${goals[@]}" > /dev/null 2>&1 || ./mvnw "${goals[@]}" >&2 || exit 2
    touch $stamp
}

# The program under test, through its own launcher; so that no benchmark waits for a build.
build_gateway() {
    ./postern --version > /dev/null || { echo "the gateway doesn't build" >&2; exit 2; }
}

# The JVM of the harness; its own garbage must not disturb what it measures.
harness() {
    local java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    exec "$java" -Xmx512m -XX:+UseSerialGC -Dio.netty.leakDetection.level=disabled \
        -cp "load-tests/target/classes:load-tests/target/test-classes:$(cat load-tests/target/classpath.txt)" "$@"
}
