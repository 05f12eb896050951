"""Tests with plain sockets that a wrong host, origin, key, method or type gets the specified code."""

import socket


def send(world, text):
    with socket.create_connection(("127.0.0.1", world.port), timeout=10) as line:
        line.sendall(text.encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = line.recv(65536)
            if not more:
                break
            answer += more
    head = answer.split(b"\r\n\r\n")[0].decode("latin-1")
    return int(head.split(" ")[1]) if " " in head else 0, head.lower()


def ask(world, method="GET", path=None, host="", origin=None, kind=None, body="", more=()):
    path = f"/{world.key}/" if path is None else path
    host = f"127.0.0.1:{world.port}" if host == "" else host
    lines = [f"{method} {path} HTTP/1.1", *([f"Host: {host}"] if host else []), "Connection: close", *([f"Origin: {origin}"] if origin else []),
             *([f"Content-Type: {kind}"] if kind else []), *more, *([f"Content-Length: {len(body.encode())}"] if method == "POST" and not more else [])]
    return send(world, "\r\n".join(lines) + "\r\n\r\n" + body)


def trial(world):
    check = world.check
    if not world.program:
        check.skip("codes", "needs the program")
        return
    do = f"/{world.key}/api/do"
    json = "application/json"
    body = '{"request":"1b4e28ba-2fa1-11d2-883f-0016d3cca427","command":"undo","step":"nobody:1"}'
    wanted = [
        ("the page", 200, dict()), ("localhost", 200, dict(host=f"localhost:{world.port}")),
        ("no key", 404, dict(path="/")), ("a wrong key", 404, dict(path="/AAAAAAAAAAAAAAAAAAAAAA/")), ("a key with its end cut", 404, dict(path=f"/{world.key[:-1]}/")),
        ("another host", 421, dict(host="evil.example")), ("the host with another port", 421, dict(host="127.0.0.1:1")), ("no host", 400, dict(host=None)),
        ("two hosts", 400, dict(more=(f"Host: 127.0.0.1:{world.port}",))), ("OPTIONS", 405, dict(method="OPTIONS")), ("DELETE", 405, dict(method="DELETE")),
        ("POST without origin", 403, dict(method="POST", path=do, kind=json, body=body)),
        ("POST from another origin", 403, dict(method="POST", path=do, kind=json, body=body, origin="http://evil.example")),
        ("POST from origin null", 403, dict(method="POST", path=do, kind=json, body=body, origin="null")),
        ("both lengths", 400, dict(method="POST", path=do, kind=json, origin=world.origin, body=body, more=("Content-Length: 5", "Transfer-Encoding: chunked"))),
        ("a chunked request", 400, dict(method="POST", path=do, kind=json, origin=world.origin, body="0\r\n\r\n", more=("Transfer-Encoding: chunked",))),
    ]
    for name, code, how in wanted:
        check.equal(name, ask(world, **how)[0], code)
    status, _ = ask(world, method="POST", path=do, kind="text/plain", body=body, origin=world.origin)
    check("POST of another type", status in (400, 415), status)
    _, head = ask(world)
    for name in ("content-security-policy: default-src 'none'; script-src 'self'", "x-content-type-options: nosniff", "cross-origin-resource-policy: same-origin",
                 "cross-origin-opener-policy: same-origin", "referrer-policy: same-origin", "cache-control: no-store"):
        check(f"header {name[:44]}", name in head, head)
    check("no header for other origins", "access-control" not in head)
    _, head = ask(world, path=f"/{world.key}/assets/page.css")
    check("assets have a tag", "etag:" in head and "no-cache" in head, head)
