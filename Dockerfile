# The daemon and the command-line tool, from the Debian package. doc/operations.md ("In a container") tells how to run it.
FROM debian:12-slim AS build
WORKDIR /src
COPY scripts/install-deps scripts/
RUN scripts/install-deps --build
COPY . .
RUN scripts/package -DQDEDUP_TESTS=OFF

FROM debian:12-slim
COPY --from=build /src/build/release/qdedup_*.deb /tmp/
# The standalone tools make the package's user and folder, in the place of systemd.
RUN apt-get -q update && \
    DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends \
      systemd-standalone-sysusers systemd-standalone-tmpfiles /tmp/qdedup_*.deb && \
    rm -rf /var/lib/apt/lists/* /tmp/qdedup_*.deb
USER qdedup
VOLUME /var/lib/qdedup
WORKDIR /var/lib/qdedup
ENTRYPOINT ["/usr/bin/qdedupd"]
CMD ["--config", "/etc/qdedup/qdedup.toml"]
