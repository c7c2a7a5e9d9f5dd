# The service in a container: docs/service.md says how to run it.
FROM python:3.13-slim AS build
COPY . /source
RUN python -m venv /app && /app/bin/pip install --no-cache-dir '/source[server]'

FROM python:3.13-slim
COPY --from=build /app /app
USER 65534:65534
EXPOSE 8000
HEALTHCHECK CMD ["/app/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz')"]
ENTRYPOINT ["/app/bin/hexrec", "serve", "--host", "0.0.0.0"]
