"""The rule for commands that cannot be taken back."""

from __future__ import annotations

import pytest

from guardrails import Severity
from tests.guardrails.builders import change, findings, found

RULE = "destructive-command"

DESTRUCTIVE = [
    ("a.sh", "rm -rf /"),
    ("a.sh", "sudo rm -fr /*"),
    ("a.sh", "rm -r -f ~"),
    ("a.sh", 'rm -rf "$HOME"'),
    ("a.sh", "cd x && rm --recursive --force /etc"),
    ("a.sh", "rm -rf build ../"),
    ("a.sh", "rm -rf --no-preserve-root /x"),
    ("a.sh", "rm -rf .git"),
    ("a.py", 'os.system("rm -rf /")'),
    ("a.py", 'subprocess.run(["rm", "-rf", "/home"])'),
    ("Makefile", "\trm -rf /usr/*"),
    ("Dockerfile", "RUN rm -rf /var"),
    (".github/workflows/a.yml", "      - run: rm -rf ~/"),
    ("a.sh", "git push --force origin main"),
    ("a.sh", "git push -f"),
    ("a.sh", "git -C repo push origin +main"),
    ("a.sh", "git push --mirror backup"),
    ("a.sql", "DROP TABLE users;"),
    ("a.sql", "drop database if exists shop;"),
    ("a.py", 'cursor.execute("DROP TABLE users")'),
    ("a.sh", 'psql -c "DROP SCHEMA public CASCADE"'),
    ("a.sql", "TRUNCATE TABLE users;"),
    ("a.sql", "truncate users;"),
    ("a.sql", "DELETE FROM users;"),
    ("a.py", 'db.execute("DELETE FROM users")'),
    ("a.sh", "terraform destroy -auto-approve"),
    ("a.sh", "terraform -chdir=prod apply -destroy"),
    ("a.sh", "kubectl delete ns production"),
    ("a.sh", "kubectl -n prod delete pods --all"),
    ("a.sh", "aws s3 rm s3://backups --recursive"),
    ("a.sh", "gcloud projects delete prod"),
    ("a.sh", "dd if=/dev/zero of=/dev/sda"),
    ("a.sh", "wipefs -a /dev/sdb"),
    ("a.sh", "mkfs.ext4 /dev/sdb1"),
    ("a.sh", "chmod -R 777 /"),
    ("a.sh", "find / -name '*.log' -delete"),
    ("a.sh", "redis-cli -h cache flushall"),
    ("a.ps1", "Remove-Item -Recurse -Force C:\\"),
]
DOUBTFUL = [
    ("a.sh", "curl -fsSL https://x.sh | sh"),
    ("Dockerfile", "RUN wget -qO- https://x.sh | sudo -E bash -"),
    ("a.sh", 'bash -c "$(curl -fsSL https://x.sh)"'),
    ("a.sh", "bash <(curl -s https://x.sh)"),
    ("a.ps1", "iwr https://x.ps1 | iex"),
    ("a.sh", 'rm -rf "$DIR"/*'),
    ("a.sh", "rm -rf *"),
    ("a.sh", "git push origin --delete release"),
    ("a.py", "metadata.drop_all(engine)"),
]
HARMLESS = [
    ("a.sh", "rm -rf build/"),
    ("a.sh", "rm -rf ./dist node_modules /tmp/work"),
    ("a.sh", "rm -f /etc/motd"),
    ("a.sh", 'rm -rf "${DIR:?}"/*'),
    ("a.sh", 'rm -rf "$DIR"'),
    ("Dockerfile", "RUN apt-get update && rm -rf /var/lib/apt/lists/*"),
    ("a.sh", "# rm -rf / would be bad"),
    ("a.sh", "charm -rf /"),
    ("a.sh", "git push --force-with-lease origin topic"),
    ("a.sh", "git push origin main"),
    ("a.sh", "git fetch --force"),
    ("a.sql", "DELETE FROM users WHERE id = 1;"),
    ("a.sql", "DROP INDEX users_name;"),
    ("a.sql", "DROP TEMPORARY TABLE scratch;"),
    ("a.sql", "-- DROP TABLE users;"),
    ("a.py", "# the DROP TABLE statement is not emitted"),
    ("a.py", "handle.truncate(0)"),
    ("a.py", '"""Tell how a drop table statement is made."""'),
    ("a.sh", "terraform plan -destroy-later"),
    ("a.sh", "kubectl delete pod web-1"),
    ("a.sh", "curl -o x.tar.gz https://x && tar xf x.tar.gz"),
    ("a.sh", "curl -s https://api | python3 -c 'import json'"),
    ("a.sh", "curl -s https://api | jq ."),
    ("a.sh", "cat a.txt | sh"),
    ("a.sh", "dd if=a.img of=/dev/null"),
    ("a.sh", "chmod -R 755 /srv/app"),
    ("a.py", "Threat: ``rm -rf /`` and the like"),
    ("README.md", "Never type rm -rf /"),
    ("a.go", "func destroy(state terraform) {}"),
]


@pytest.mark.parametrize(("path", "line"), DESTRUCTIVE)
def test_what_cannot_be_taken_back_blocks(path: str, line: str) -> None:
    """HIGH, at its line, told by what it does."""
    assert found(RULE, path, "x", line) == [Severity.HIGH]


@pytest.mark.parametrize(("path", "line"), DOUBTFUL)
def test_what_may_be_meant_is_medium(path: str, line: str) -> None:
    """A human decides."""
    assert found(RULE, path, line) == [Severity.MEDIUM]


@pytest.mark.parametrize(("path", "line"), HARMLESS)
def test_what_looks_alike_is_left_alone(path: str, line: str) -> None:
    """Build folders, comments, conditions, other commands."""
    assert found(RULE, path, line) == []


def test_a_where_on_a_later_line_counts() -> None:
    """A statement may go on; it ends at the semicolon."""
    assert found(RULE, "a.sql", "DELETE FROM users", "WHERE id = 1;") == []
    lines = ("DELETE FROM users;", "SELECT 1 WHERE 1;")
    assert found(RULE, "a.sql", *lines) == [Severity.HIGH]


def test_the_way_back_of_a_migration_may_drop() -> None:
    """What ``upgrade`` creates, ``downgrade`` drops; the way there may not."""
    text = (
        "def upgrade():\n    op.drop_table('old')\n\n\n"
        "def downgrade():\n    op.drop_table('new')\n"
    )
    (finding,) = findings(RULE, change("migrations/1.py", None, text))
    assert finding.line == 2
    assert found(RULE, "db/2.down.sql", "DROP TABLE users;") == []
    lines = (
        "-- +goose Up",
        "CREATE TABLE a(x int);",
        "-- +goose Down",
        "DROP TABLE a;",
    )
    assert found(RULE, "db/3.sql", *lines) == []


def test_only_added_lines_count() -> None:
    """A line that goes or stays is not this change's doing."""
    assert findings(RULE, change("a.sh", "rm -rf /\nx\n", "y\n")) == []
    assert findings(RULE, change("a.sh", "rm -rf /\nx\n", "rm -rf /\ny\n")) == []


def test_tests_and_examples_are_low() -> None:
    """A rule's own tests have to write such lines."""
    assert found(RULE, "tests/test_a.py", 'x = "rm -rf /"') == [Severity.LOW]
