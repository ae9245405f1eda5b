"""Read the private key of the GitHub App: as text, by path, or from base64.

A file that everybody on the machine can read is refused: whoever has the key is
the app. No message repeats what was given.
"""

from __future__ import annotations

import base64
import binascii
import re
import stat
from pathlib import Path

_PEM = re.compile(
    r"-----BEGIN (?:RSA )?PRIVATE KEY-----\s[A-Za-z0-9+/=\s]+"
    r"-----END (?:RSA )?PRIVATE KEY-----\s*"
)


def read_private_key(given: str) -> str:
    """Return the PEM text that ``given`` is, names or encodes.

    Raises:
        ValueError: it is none of the three, or others may read the file.
    """
    text = given.strip()
    if "-----BEGIN" not in text:
        text = _from_file(text) or _from_base64(text)
    text = text.replace("\\n", "\n").replace("\r\n", "\n").strip() + "\n"
    if not _PEM.fullmatch(text):
        raise ValueError(
            "neither a PEM private key nor the path of one; download it from the "
            "settings page of the GitHub App"
        )
    return text


def _from_file(name: str) -> str:
    """Return the text of the file ``name``, ``""`` when there is none."""
    try:
        path = Path(name).expanduser()
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            return ""
        if mode & stat.S_IROTH:
            raise ValueError("everybody can read that file; run chmod 600 on it")
        return path.read_text(encoding="ascii", errors="replace")
    except PermissionError:
        raise ValueError("that file cannot be read by this user") from None
    except (OSError, RuntimeError):
        return ""  # base64 is too long for a name, or no such file


def _from_base64(text: str) -> str:
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.decode("ascii", "replace")
