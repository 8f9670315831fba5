module dev.postern/peers/nethttp

go 1.24.0
