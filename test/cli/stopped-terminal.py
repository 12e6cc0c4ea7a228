"""Runs `backlot start` on a pseudo-terminal that is stopped with Ctrl-S: python3 stopped-terminal.py CALLS ARGUMENT...

Prints JSON: the statuses of the calls while the terminal was stopped, what it showed meanwhile, what it shows after Ctrl-Q where
`--continue` comes first, and how the process ended within 20 seconds of a SIGTERM (null: it did not).
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import urllib.request

continues = sys.argv[1] == "--continue"
calls, *arguments = sys.argv[2:] if continues else sys.argv[1:]
terminal, inner = pty.openpty()
program = ["node", "dist/cli.js", "start", "--port", "0", *arguments]
emulator = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=inner, stderr=subprocess.PIPE)


def shown(patience, until=None):
    text = b""
    while select.select([terminal], [], [], patience)[0]:
        text += os.read(terminal, 65536)
        if until is not None and re.search(until, text):
            break
    return text


address = rb"http://127\.0\.0\.1:\d+"
url = re.search(address, shown(60, address + rb"\D")).group().decode()
shown(1)
os.write(terminal, b"\x13")
request = urllib.request.Request(url + "/provB/api/v3/contents/generations/tasks", headers={"Authorization": "Bearer k"})
statuses = set()
try:
    for _ in range(int(calls)):
        statuses.add(urllib.request.urlopen(request, timeout=20).status)
    meanwhile = len(shown(0.2))
    later = 0
    if continues:
        os.write(terminal, b"\x11")
        later = len(shown(2))
    emulator.send_signal(signal.SIGTERM)
    code = emulator.wait(20)
except (OSError, subprocess.TimeoutExpired) as error:
    statuses.add(str(error))
    meanwhile, later, code = None, None, None
finally:
    emulator.kill()
print(json.dumps({"statuses": sorted(statuses, key=str), "meanwhile": meanwhile, "later": later, "code": code}))
