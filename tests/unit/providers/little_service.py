"""A real HTTP service on loopback for tests of what speaks to services. It answers as scripted, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-test-4f9d2c77aa01"


@dataclass
class Service:
    """Answers each request with the next of `replies`, then with `usual`: (status, headers, bytes), or a function of the body."""

    usual: object
    replies: list = field(default_factory=list)
    asked: list = field(default_factory=list)
    headers: list = field(default_factory=list)
    paths: list = field(default_factory=list)
    url: str = ""

    def answer(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.asked.append(body)
        self.headers.append(dict(handler.headers))
        self.paths.append(handler.path)
        scripted = self.replies.pop(0) if self.replies else self.usual
        status, headers, content = scripted(body) if callable(scripted) else scripted
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if isinstance(content, bytes):
            handler.send_header("Content-Length", str(len(content)))
            content = [content]
        handler.end_headers()
        for piece in content:
            handler.wfile.write(piece)
            handler.wfile.flush()


def reply(content=None, status=200, **headers):
    """An answer with this content: bytes as they are, anything else as JSON."""
    return status, headers, content if isinstance(content, bytes) else json.dumps(content).encode()


def completion(text="kelvor_tani", **message):
    """A chat completion that says `text`."""
    usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "finish_reason": "stop", "message": said}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice], "usage": usage}


@contextmanager
def serving(usual):
    """The service while it runs."""
    found = Service(usual)

    class Doorway(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                found.answer(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # whoever asked has hung up, which some tests are about

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Doorway)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
