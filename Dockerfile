# The service and nothing else: no command line extras, no compiler, no shell script.
# docker build -t registry.example.com/palena:0.1.0 .

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv --without-pip /opt/palena
COPY requirements/serve.txt /tmp/serve.txt
# pip compiles what it installs; --require-hashes refuses anything but the locked files.
RUN pip --python /opt/palena/bin/python install --require-hashes --only-binary :all: -r /tmp/serve.txt
COPY app /tmp/site/app
# Bytecode that carries no file times: it stays valid whatever the copy below does to them. Without it a start takes seconds.
RUN cp -r /tmp/site/app "$(/opt/palena/bin/python -c 'import site; print(site.getsitepackages()[0])')" \
    && /opt/palena/bin/python -m compileall -q --invalidation-mode unchecked-hash -f /opt/palena/lib

FROM python:3.13-slim
# The base image ships the standard library without bytecode, and a read-only file system could never keep it.
RUN python -m compileall -q /usr/local/lib/python3.13
COPY --from=build /opt/palena /opt/palena
ENV PATH=/opt/palena/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# A number, so that runAsNonRoot can be verified. Nothing is written: the root file system may be read-only.
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["python", "-m", "app.cli"]
CMD ["serve"]
