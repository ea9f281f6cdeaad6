# Two images from one file: `agent` serves the API (Aegra, in several processes), `worker` finishes what nobody finishes.
#   docker build --target agent --tag daybook-agent .
#   docker build --target worker --tag daybook-worker .
# No secret is built in: all of them come from the environment (docs/operations.md).

FROM python:3.12.11-slim-bookworm AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/daybook \
    && /opt/daybook/bin/pip install --require-hashes --requirement requirements.lock

FROM packages AS agent-packages
# The versions that `make production` was tried with.
RUN /opt/daybook/bin/pip install aegra-api==0.11.0 greenlet==3.5.6 jinja2==3.1.6 markdown-it-py==4.3.0

FROM packages AS worker-packages
# For signed heads in S3 (docs/operations.md).
RUN /opt/daybook/bin/pip install obstore==0.12.1

FROM python:3.12.11-slim-bookworm AS base
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin daybook
ENV PATH=/opt/daybook/bin:$PATH PYTHONPATH=/srv/daybook/src \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /srv/daybook
COPY src/ src/
COPY state/ state/
COPY tools/ tools/
COPY checkpoints/ checkpoints/
COPY nodes/ nodes/
COPY graph/ graph/
COPY app/ app/
# The marks of a ledger (docs/operations.md) outlive a container: a volume belongs here.
RUN install --directory --owner daybook --group daybook /var/lib/daybook
ENV DAYBOOK_MARKS=/var/lib/daybook
USER 10001:10001

FROM base AS worker
COPY --from=worker-packages /opt/daybook /opt/daybook
# SIGTERM lets it end what is under way; SIGKILL harms nothing.
ENTRYPOINT ["python", "-m", "daybook.app"]
CMD ["worker"]

FROM base AS agent
COPY --from=agent-packages /opt/daybook /opt/daybook
ENV DAYBOOK_HOME=/tmp/daybook PROCESSES=2
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/ready', timeout=4)"]
# The worker is a service of its own.
CMD ["sh", "-c", "exec python -m daybook.app serve --production --no-worker --host 0.0.0.0 --port 8000 --processes $PROCESSES"]
