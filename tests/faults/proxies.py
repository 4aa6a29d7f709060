"""Real reverse proxies in front of a server: Caddy, and nginx as people set it up."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.real_app import free_port

CADDY = """{{
	admin off
	skip_install_trust
	auto_https disable_redirects
	storage file_system {folder}
}}
https://lab.example.edu:{port}, https://evil.example:{port} {{
	tls internal
	reverse_proxy 127.0.0.1:{server}
}}
"""
NGINX = """daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
	access_log off;
	client_body_temp_path {folder}/body;
	proxy_temp_path {folder}/proxy;
	fastcgi_temp_path {folder}/fastcgi;
	uwsgi_temp_path {folder}/uwsgi;
	scgi_temp_path {folder}/scgi;
	server {{
		listen 127.0.0.1:{port};
		location / {{
			{headers}
			proxy_pass http://127.0.0.1:{server};
		}}
	}}
}}
"""
NGINX_HEADERS = """
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_set_header X-Forwarded-Host $http_host;"""
"""What docs/operation.md tells people to write."""


class Proxy:
    """One proxy in front of one port, until it is closed."""

    def __init__(self, kind: str, folder: Path, server: int) -> None:
        self.kind, self.port = kind, free_port()
        program = "caddy" if kind == "caddy" else "nginx"
        if shutil.which(program) is None:
            pytest.skip(f"no {program} here: .ci/system-packages installs it where it may")
        folder.mkdir(parents=True)
        config = folder / "config"
        if kind == "caddy":
            config.write_text(CADDY.format(folder=folder, port=self.port, server=server))
            command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)]
        else:
            headers = NGINX_HEADERS if kind == "nginx" else ""
            config.write_text(NGINX.format(folder=folder, port=self.port, server=server, headers=headers))
            command = ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(config)]
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)}
            )
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            if self._process.poll() is not None:
                raise RuntimeError(self.log.read_text())
            time.sleep(0.02)

    @property
    def secure(self) -> bool:
        """Whether it speaks TLS."""
        return self.kind == "caddy"

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)
