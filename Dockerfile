# syntax=docker/dockerfile:1
# docs/deploy.md says how to use this image; test/deployment.test.ts compares it with the settings.
FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY web/package.json web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node bin/kith.mjs web

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY web/package.json web/
# Nothing here needs an install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY deploy/slim.sh deploy/
RUN sh deploy/slim.sh
COPY . .
COPY --from=web /app/web/dist web/dist
# A build without its sources is never taken for a stale one.
RUN rm -rf web/src web/public
# The folder that a new volume is filled from, so that it belongs to the user below.
RUN mkdir /data

# glibc, libstdc++ and certificates; no shell and no package manager. 65532 is its user `nonroot`.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /app
USER 65532:65532
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 KITH_DATA_DIR=/data
EXPOSE 8000
VOLUME /data
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/node", "/app/deploy/healthcheck.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=4", "--initial-old-space-size=64", "--heap-growing-percent=50", "/app/bin/kith.mjs"]
CMD ["start"]
