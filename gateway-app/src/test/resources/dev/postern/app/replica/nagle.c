// Preloaded before the C library: splits each write to one port into three, and leaves Nagle's algorithm on, as some client libraries do.
// Needs a compiler, but no header files.

#define NEXT ((void *)-1L)
#define IPPROTO_TCP 6
#define TCP_NODELAY 1

extern void *dlsym(void *, const char *);
extern char *getenv(const char *);
extern int atoi(const char *);
extern int getpeername(int, void *, unsigned *);

typedef long (*writer)(int, const void *, unsigned long);
typedef long (*sender)(int, const void *, unsigned long, int);
typedef int (*setter)(int, int, int, const void *, unsigned);

static int spoilt(int fd) {
  unsigned char address[128];
  unsigned length = sizeof address;
  const char *port = getenv("SPOILT_PORT");
  if (!port || getpeername(fd, address, &length) != 0 || length < 16) return 0;
  return (address[2] << 8 | address[3]) == atoi(port);
}

long send(int fd, const void *bytes, unsigned long length, int flags) {
  sender next = (sender)dlsym(NEXT, "send");
  if (length < 3 || !spoilt(fd)) return next(fd, bytes, length, flags);
  const char *from = bytes;
  unsigned long third = length / 3;
  if (next(fd, from, third, flags) != (long)third) return -1;
  if (next(fd, from + third, third, flags) != (long)third) return -1;
  if (next(fd, from + 2 * third, length - 2 * third, flags) < 0) return -1;
  return (long)length;
}

long write(int fd, const void *bytes, unsigned long length) {
  writer next = (writer)dlsym(NEXT, "write");
  return length < 3 || !spoilt(fd) ? next(fd, bytes, length) : send(fd, bytes, length, 0);
}

int setsockopt(int fd, int level, int option, const void *value, unsigned length) {
  setter next = (setter)dlsym(NEXT, "setsockopt");
  // The option is set before the socket connects, when its port is unknown: it is ignored for every socket.
  return level == IPPROTO_TCP && option == TCP_NODELAY ? 0 : next(fd, level, option, value, length);
}
