# The service in a container: docs/service.md describes how to run it.
# `docker buildx imagetools inspect python:3.13-slim` prints the newest digest.
ARG PYTHON=python:3.13-slim@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6

FROM $PYTHON AS build
# The compiler of the rules. It stays in this stage, so its version is that of the distribution.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY . /source
RUN python -m venv /build \
  && /build/bin/pip install --no-cache-dir --require-hashes --requirement /source/.ci/build.txt \
  && HEXREC_REQUIRE_COMPILED=1 /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels /source
RUN python -m venv /app \
  && /app/bin/pip install --no-cache-dir --require-hashes --requirement /source/.ci/package.txt \
  && /app/bin/pip install --no-cache-dir --no-deps --no-index /wheels/*.whl

FROM $PYTHON
COPY --from=build /app /app
ENV HEXREC_REQUIRE_COMPILED=1
USER 65534:65534
EXPOSE 8000
HEALTHCHECK CMD ["/app/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz')"]
ENTRYPOINT ["/app/bin/hexrec", "serve", "--host", "0.0.0.0"]
