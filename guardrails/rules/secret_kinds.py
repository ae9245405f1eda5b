"""The kinds of secrets that can be told by their own look: a table. Pure.

A kind is found at a literal prefix and then matched at that place alone, so that
a text costs one ``str.find`` a prefix. No pattern repeats a repetition; all that
can match much is bounded. A checksum, where the issuer adds one, decides how sure
a hit is, never whether it is one: a typed token is a leak of a typed token.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from guardrails.model import Confidence, Severity

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECKED = 30  # characters before the checksum of six

Check = Callable[[str], Confidence | None]  # None: it is no secret after all


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretKind:
    """One kind of secret: where it can begin and how it goes on."""

    name: str
    title: str
    prefixes: tuple[str, ...]
    pattern: re.Pattern[str]
    severity: Severity
    check: Check


def _sure(_: str) -> Confidence:
    return Confidence.HIGH


def _checksummed(value: str) -> Confidence:
    """Tell how sure a token is that ends with the base62 CRC32 of its body."""
    body = value.partition("_")[2]
    if len(body) != _CHECKED + 6:
        return Confidence.MEDIUM
    right = base62_checksum(body[:_CHECKED]) == body[_CHECKED:]
    return Confidence.HIGH if right else Confidence.MEDIUM


def base62_checksum(text: str) -> str:
    """Return the CRC32 of ``text`` in six digits of base 62."""
    number, digits = zlib.crc32(text.encode("utf-8", "surrogateescape")), ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits


def _mixed(value: str) -> Confidence | None:
    """Tell random letters and digits from the words of an identifier."""
    body = value[3:]
    digits = sum(each.isdigit() for each in body)
    return Confidence.MEDIUM if 2 <= digits < len(body) else None


def _kind(  # one row of the table
    name: str,
    title: str,
    prefixes: str,
    rest: str,
    severity: Severity = Severity.HIGH,
    check: Check = _sure,
) -> SecretKind:
    """Return a kind whose text is one of ``prefixes`` and then ``rest``."""
    starts = tuple(prefixes.split())
    alternatives = "|".join(re.escape(each) for each in starts)
    return SecretKind(
        name=name,
        title=title,
        prefixes=starts,
        pattern=re.compile(f"(?:{alternatives}){rest}", re.ASCII),
        severity=severity,
        check=check,
    )


_END = r"(?![A-Za-z0-9])"
_WORD = r"[A-Za-z0-9_-]"
_CRITICAL = Severity.CRITICAL
_MEDIUM = Severity.MEDIUM

KINDS: tuple[SecretKind, ...] = (
    _kind(
        "github-token",
        "a GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        "[A-Za-z0-9]{36,255}",
        _CRITICAL,
        _checksummed,
    ),
    _kind(
        "github-fine-grained-token",
        "a GitHub fine-grained token",
        "github_pat_",
        "[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        _CRITICAL,
    ),
    _kind(
        "gitlab-token",
        "a GitLab token",
        "glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- glffct-",
        _WORD + "{20,64}",
        _CRITICAL,
    ),
    _kind("bitbucket-token", "a Bitbucket app password", "ATBB", r"[A-Za-z0-9]{32}"),
    _kind(
        "aws-access-key-id",
        "an AWS access key id",
        "AKIA ASIA",
        "[A-Z2-7]{16}" + _END,
    ),
    _kind(
        "slack-token",
        "a Slack token",
        "xoxb- xoxp- xoxa- xoxe- xoxr- xoxs- xoxo-",
        "[A-Za-z0-9-]{10,200}",
    ),
    _kind(
        "slack-app-token",
        "a Slack app token",
        "xapp-",
        r"\d-[A-Z0-9]{8,20}-\d{8,20}-[a-f0-9]{32,80}",
    ),
    _kind(
        "slack-webhook",
        "a Slack webhook",
        "hooks.slack.com/",
        r"(?:services|workflows)/[A-Za-z0-9/]{30,120}",
    ),
    _kind(
        "stripe-key",
        "a Stripe live key",
        "sk_live_ rk_live_",
        "[A-Za-z0-9]{16,250}",
        _CRITICAL,
    ),
    _kind(
        "stripe-test-key",
        "a Stripe test key",
        "sk_test_ rk_test_",
        "[A-Za-z0-9]{16,250}",
        _MEDIUM,
    ),
    _kind(
        "stripe-webhook-secret",
        "a Stripe webhook secret",
        "whsec_",
        "[A-Za-z0-9+/]{32,64}",
    ),
    _kind("google-api-key", "a Google API key", "AIza", _WORD + "{35}" + _END),
    _kind(
        "google-oauth-secret", "a Google OAuth client secret", "GOCSPX-", _WORD + "{28}"
    ),
    _kind("google-access-token", "a Google access token", "ya29.", _WORD + "{50,500}"),
    _kind(
        "anthropic-key", "an Anthropic key", "sk-ant-", _WORD + "{24,200}", _CRITICAL
    ),
    _kind(
        "openai-key",
        "an OpenAI key",
        "sk-proj- sk-svcacct- sk-admin-",
        _WORD + "{24,250}",
        _CRITICAL,
    ),
    _kind("openrouter-key", "an OpenRouter key", "sk-or-v1-", "[a-f0-9]{64}"),
    _kind(
        "model-provider-key",
        "a key of a model provider",
        "sk-",
        "[A-Za-z0-9]{32,64}" + _END,
        check=_mixed,
    ),
    _kind("groq-key", "a Groq key", "gsk_", "[A-Za-z0-9]{40,60}"),
    _kind("xai-key", "an xAI key", "xai-", "[A-Za-z0-9]{60,90}"),
    _kind("perplexity-key", "a Perplexity key", "pplx-", "[A-Za-z0-9]{40,64}"),
    _kind("replicate-token", "a Replicate token", "r8_", "[A-Za-z0-9]{37,40}"),
    _kind("huggingface-token", "a Hugging Face token", "hf_", "[A-Za-z0-9]{34}" + _END),
    _kind(
        "npm-token",
        "an npm token",
        "npm_",
        "[A-Za-z0-9]{36}" + _END,
        _CRITICAL,
        _checksummed,
    ),
    _kind(
        "pypi-token",
        "a PyPI token",
        "pypi-AgEI pypi-AgEN",
        _WORD + "{50,300}",
        _CRITICAL,
    ),
    _kind("rubygems-key", "a RubyGems key", "rubygems_", "[a-f0-9]{48}"),
    _kind(
        "crates-token",
        "a crates.io token",
        "cio",
        "[A-Za-z0-9]{32}" + _END,
        check=_mixed,
    ),
    _kind(
        "docker-token", "a Docker Hub token", "dckr_pat_ dckr_oat_", _WORD + "{24,60}"
    ),
    _kind("twilio-key", "a Twilio key", "SK", "[0-9a-f]{32}" + _END),
    _kind(
        "sendgrid-key",
        "a SendGrid key",
        "SG.",
        _WORD + r"{20,24}\." + _WORD + "{39,50}",
    ),
    _kind("mailgun-key", "a Mailgun key", "key-", "[0-9a-f]{32}" + _END),
    _kind("brevo-key", "a Brevo key", "xkeysib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _kind(
        "discord-webhook",
        "a Discord webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"\d{15,21}/" + _WORD + "{50,100}",
    ),
    _kind(
        "digitalocean-token",
        "a DigitalOcean token",
        "dop_v1_ doo_v1_ dor_v1_",
        "[a-f0-9]{64}",
        _CRITICAL,
    ),
    _kind("databricks-token", "a Databricks token", "dapi", "[a-f0-9]{32}" + _END),
    _kind(
        "azure-storage-key",
        "an Azure storage key",
        "AccountKey=",
        "[A-Za-z0-9+/]{86}==",
        _CRITICAL,
    ),
    _kind(
        "shopify-token",
        "a Shopify token",
        "shpat_ shpca_ shppa_ shpss_",
        "[a-fA-F0-9]{32}",
    ),
    _kind(
        "square-token",
        "a Square token",
        "sq0atp- sq0csp- EAAA",
        _WORD + "{43,64}" + _END,
        check=_mixed,
    ),
    _kind("linear-key", "a Linear key", "lin_api_", "[A-Za-z0-9]{40}"),
    _kind("notion-token", "a Notion token", "ntn_", "[A-Za-z0-9]{43,50}"),
    _kind("postman-key", "a Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
    _kind(
        "grafana-token", "a Grafana token", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"
    ),
    _kind("newrelic-key", "a New Relic key", "NRAK-", "[A-Z0-9]{27}"),
    _kind(
        "sentry-token", "a Sentry token", "sntrys_ sntryu_", "[A-Za-z0-9+/=_-]{40,400}"
    ),
    _kind("vault-token", "a Vault token", "hvs. hvb.", _WORD + "{24,300}"),
    _kind(
        "doppler-token",
        "a Doppler token",
        "dp.pt. dp.st. dp.sa.",
        "[A-Za-z0-9.]{40,60}",
    ),
    _kind(
        "planetscale-token",
        "a PlanetScale token",
        "pscale_tkn_ pscale_pw_",
        "[A-Za-z0-9_.=-]{32,64}",
    ),
    _kind("supabase-token", "a Supabase token", "sbp_", "[a-f0-9]{40}"),
    _kind("atlassian-token", "an Atlassian token", "ATATT3", "[A-Za-z0-9_=-]{100,250}"),
    _kind("figma-token", "a Figma token", "figd_", _WORD + "{40,60}"),
    _kind(
        "age-key", "an age private key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}", _CRITICAL
    ),
    _kind(
        "tailscale-key",
        "a Tailscale key",
        "tskey-",
        "[a-z]{2,8}-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{16,64}",
    ),
    _kind("heroku-key", "a Heroku key", "HRKU-", _WORD + "{36,64}"),
    _kind("pulumi-token", "a Pulumi token", "pul-", "[a-f0-9]{40}" + _END),
    _kind(
        "dynatrace-token", "a Dynatrace token", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"
    ),
    _kind("artifactory-key", "an Artifactory key", "AKCp", "[A-Za-z0-9]{60,80}"),
    _kind(
        "alibaba-key-id",
        "an Alibaba access key id",
        "LTAI",
        "[A-Za-z0-9]{16,24}" + _END,
        check=_mixed,
    ),
)
