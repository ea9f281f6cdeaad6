"""Secrets in text, by the forms that their makers give them, and by what people say before them.

The forms are written from what each maker publishes of its tokens (their documentation, and the
pages on secret scanning of GitHub and GitLab, which name the same beginnings). Each is read by one
possessive pattern: text that nearly fits is read once.
"""

from __future__ import annotations

import binascii
import re
from typing import NamedTuple

SECRET = "[secret]"
SECURITY_CODE = "[security code]"


class Form(NamedTuple):
    """How the tokens of one maker look.

    Attributes:
        begins: with one of these, as a pattern.
        signs: of which the rest is made, as a set of a pattern.
        least: signs of the rest; fewer are no token.
    """

    begins: str
    signs: str
    least: int


_FORMS = (
    Form("daybook_(?![a-z_]{1,60}+(?![\\w-]))", r"\w-", 16),  # our own, and no name of a metric
    Form("sk-", r"\w-", 16),  # OpenAI, Anthropic, DeepSeek, OpenRouter, LiteLLM
    Form("(?:gsk|csk|tvly|xai|pplx|r8|nvapi|fw|jina)[_-]", "A-Za-z0-9_-", 20),  # of other models
    Form("hf_|api_org_", "A-Za-z0-9", 16),  # Hugging Face
    Form("lsv2_(?:pt|sk)_", r"\w", 16),  # LangSmith
    Form("[srp]k_(?:live|test)_|whsec_", "A-Za-z0-9", 8),  # Stripe
    Form("gh[pousr]_|github_pat_", r"\w-", 16),
    Form("gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas)-", r"\w.-", 16),  # GitLab
    Form("npm_", "A-Za-z0-9", 16),
    Form("pypi-Ag", r"\w-", 16),
    Form("dckr_(?:pat|oat)_", r"\w-", 16),  # Docker
    Form("xox[abcdeoprs]-|xapp-", r"\w.-", 10),  # Slack
    Form("AKIA|ASIA|ABIA|ACCA", "A-Z0-9", 16),  # AWS
    Form("AIza", r"\w-", 30),  # Google
    Form(r"ya29\.|GOCSPX-", r"\w.-", 16),  # Google, OAuth
    Form(r"SG\.", r"\w.-", 32),  # SendGrid
    Form("SK|key-", "0-9a-f", 32),  # Twilio, Mailgun
    Form("do[opr]_v1_", "0-9a-f", 32),  # DigitalOcean
    Form("shp(?:at|ca|pa|ss|ua)_", "0-9A-Fa-f", 16),  # Shopify
    Form("sq0(?:atp|csp|idp)-", r"\w-", 16),  # Square
    Form("dapi", "0-9a-f", 32),  # Databricks
    Form(r"hvs\.|hvb\.", r"\w-", 20),  # Vault
    Form(r"dp\.(?:pt|st|ct|sa)\.", r"\w.", 20),  # Doppler
    Form("sbp_|sb_secret_", r"\w", 16),  # Supabase
    Form("glsa_|glc_", r"\w+/=", 20),  # Grafana
    Form("sntrys_|sntryu_", r"\w+/=", 20),  # Sentry
    Form("lin_api_|ntn_|PMAK-|NRAK-|ATATT3|EAACEdEose0cBA", r"\w=-", 20),
    Form("AGE-SECRET-KEY-1", "A-Z0-9", 20),
    Form(r"[MNO][\w-]{23,27}\.[\w-]{6}\.", r"\w-", 27),  # Discord
    Form("[0-9a-f]{32}-us", "0-9", 1),  # Mailchimp
    Form(r"access_token\$", r"\w$", 20),  # Braintree
    Form("EAAA", r"\w-", 40),  # Square
    Form(
        "HRKU-|xkeysib-|FLWSECK(?:_TEST)?-|CFPAT-", r"\w-", 20
    ),  # Heroku, Brevo, Flutterwave, Contentful
    Form("secret_", "A-Za-z0-9", 32),  # Notion
    Form("nfp_|figd_|rubygems_|pul-|sgp_|rdme_|tfp_", r"\w-", 24),  # Netlify, Figma ...
    Form("vercel_blob_rw_|vc[apikr]_", "A-Za-z0-9_", 20),  # Vercel
    Form("pscale_(?:tkn|oauth|pw)_", r"\w.-", 20),  # PlanetScale
    Form("rzp_(?:live|test)_", "A-Za-z0-9", 10),  # Razorpay
    Form("(?:klarna|shippo|duffel)_(?:live|test)_", r"\w+/=-", 20),
    Form(r"v1\.0-", "0-9a-f-", 40),  # Cloudflare
    Form(r"pat[A-Za-z0-9]{14}\.", "0-9a-f", 40),  # Airtable
    Form(r"[A-Za-z0-9]{14}\.atlasv1\.", r"\w-", 40),  # HCP Terraform
)

_TOKEN = re.compile(
    "(?<![A-Za-z0-9])(?:"
    + "|".join(f"(?:{begins})[{signs}]{{{least},}}+" for begins, signs, least in _FORMS)
    + ")"
)

_SIGNED = re.compile(
    r"""
    (?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?            # a JSON web token
    | (?i:-----?\ ?BEGIN\ [A-Z0-9 ]{0,30}?PRIVATE\ KEY(?:\ BLOCK)?\ ?-----?)
      .*?(?:(?i:-----?\ ?END\ [A-Z0-9 ]{0,30}?PRIVATE\ KEY(?:\ BLOCK)?\ ?-----?-?)|\Z)
    | PuTTY-User-Key-File-\d:.*?(?:Private-MAC:\ ?[0-9a-f]++|\Z)
    | (?<=://)[^\s/:@]*+:(?!\d{1,5}[/?\#])                       # user and password in a URL
      (?:[^\s@]{1,200}+@(?=[^\s/@]{1,100}@))*+[^\s@]{1,200}+(?=@)
    | (?<=://)(?=[^\s/:@\d]{0,60}\d)[^\s/:@?\#]{16,}+(?=@)       # a token as the user
    | (?<=-u\s)[^\s:]++:\S++                                      # the same, as curl takes them
    | (?<=://hooks\.slack\.com/services/)[\w/]++
    | (?<![A-Za-z0-9])\d{8,10}:AA[\w-]{30,}+                     # Telegram
    | (?<=[?&]sig=)[\w%+/=-]{30,}+                               # a signed address of Azure
    | (?<=X-Amz-Signature=)[0-9a-f]{40,}+                        # and of AWS
    """,
    re.VERBOSE | re.DOTALL,
)

_HEADER = re.compile(
    r"\b((?:proxy-)?authorization[\"']?\s{0,3}+[:=]\s{0,3}+[\"']?"
    r"(?:(?:basic|bearer|token|digest|apikey|negotiate)\b\s{0,3}+)?+"
    r"|bearer(?:\s{0,3}+[:=]\s{0,3}+|\s{1,3}+(?:token\b\s{0,3}+)?+(?:(?:is\b|[:=])\s{0,3}+)?+)"
    r"(?=[\w.~+/-]{16}))(?=\w)[^\s\"',;]{4,}+",
    re.I,
)
_COOKIE = re.compile(
    r"\b((?:set-)?cookie[\"']?\s{0,3}+:\s{0,3}+)(?=[\w.-]{1,60}+=)[^\n\"']{8,}+", re.I
)
_BASIC = re.compile(r"\b(basic\s{1,3}+)([A-Za-z0-9+/]{4,}+={0,2})", re.I)

_IS = (
    r"(?:\s{0,3}+(?:(?:is|was|are|now|equals|ist|lautet|est|es)(?!\w)|:=|=>|->|[:=\u2192]|>(?=\S)))"
)
"""Stands between the name of a secret and the secret."""

_ITS = r"(?:['\u2019]s(?=\s{1,3}+[^\s\d]{0,30}+\d))"
"""The same, where a number in it tells that it is no word: "the password's strength" is none."""

_QUOTED = r"(?:\\?[\"'])?"
"""A quote, or one within quotes."""

_PASSWORD = re.compile(
    rf"""
    (
      (?:pass[ ]?words?|passwd|passwort|(?<![A-Za-z0-9])(?:
         passcode|pwd|kennwort|wachtwoord|mot\ de\ passe|contrase(?:\u00f1|n)a|senha)){_QUOTED}
      (?:\s{{1,3}}+(?:for|to|of|on|at|there|here|now)(?:\s{{1,3}}+[\w.'\u2019-]{{1,30}}+){{0,3}}?)?
      (?:{_IS}{{1,3}}+|{_ITS})\s{{0,3}}+
      (?:[|>][+-]?\s{{1,3}}+\s{{0,30}}+)?                        # a block of YAML
    )
    (?:
      \\[\"'][^\"'\n]{{1,200}}+[\"']
      |[\"'`\u201c\u00ab](?:\\.|[^\"'`\u201d\u00bb\n\\]){{1,200}}+[\"'`\u201d\u00bb]
      |(?P<word>\S++)
    )
    """,
    re.VERBOSE | re.I,
)
_PASSWORD_SAID = re.compile(
    r"(?<![A-Za-z])((?:pass ?word|passwd|pwd|pw|passcode|passwort|pass[ -]?phrase)\s{1,3}+)"
    r"(?=[^\s\d]{0,40}\d)(?=[^\sA-Za-z]{0,40}[A-Za-z])[^\s\"',;.\[]{5,}+",
    re.I,
)
"""With nothing between: letters and digits tell that it is no word."""
_PASS = re.compile(
    rf"(?<![A-Za-z0-9_])((?:pass|pw){_QUOTED}\s?[:=]\s?{_QUOTED})"
    r"(?=[^\s\d]{0,40}\d)[^\s\"',;&\[]{6,}+",
    re.I,
)
_PHRASE = re.compile(
    rf"(?<![A-Za-z0-9])((?:pass[ -]?phrase|(?:seed|recovery|mnemonic)[ -](?:phrase|words))"
    rf"{_QUOTED}{_IS}{{1,3}}+\s{{0,3}}+)"
    r"(?:\\?[\"'][^\"'\n]{1,200}+[\"']|(?P<phrase>[^\s.;\n\"'][^.;\n]*+))",
    re.I,
)
_KEY = re.compile(
    r"(?<![A-Za-z0-9])((?:shared[ _-]?)?"
    r"(?:api|access|account|auth|client|refresh|secret|private|signing|encryption)"
    rf"(?:[ _-](?:access|secret|api))?[ _-]?(?:key|token|secret){_QUOTED}"
    rf"{_IS}{{1,3}}+\s{{0,3}}+{_QUOTED})(?!\[secret\])"
    r"(?:[^\s\"',;]{12,}+|(?=[^\s\"',;\d]{0,11}+\d)[^\s\"',;]{8,}+)",
    re.I,
)
_TOLD = re.compile(
    r"(?<![A-Za-z0-9_-])((?:(?:my|our|the)\s{1,3}+(?:token|secret|key)|(?:token|secret)(?=[\"']?\s?[:=]))"
    rf"[\"']?(?:{_IS}{{1,3}}+|{_ITS})\s{{0,3}}+[\"']?)(?!\[secret\])"
    r"(?=[^\s\"',;\d]{0,30}+\d)[^\s\"',;]{8,}+",
    re.I,
)
"""Behind a name that says little: a number in it tells that it is no word."""
_PIN = re.compile(
    rf"(?<![A-Za-z0-9])(pin(?:[\s_-](?:code|number))?{_QUOTED}(?:{_IS}{{1,3}}+|{_ITS})\s{{0,3}}+"
    rf"{_QUOTED})\d{{4,8}}+(?![\w.,]{{0,40}}\d)",
    re.I,
)
_PIN_SAID = re.compile(
    r"(?<![A-Za-z0-9-])((?P<whose>(?:my|our|his|her|their|the|card|atm|bank)\s{1,3}+)?pin"
    r"(?P<counted>(?:\s{1,3}+(?:number|no\.?|nr\.?))?+(?:\s{0,3}+\#)?+)(?:\s{1,3}+|(?<=\#)))"
    r"(?P<pin>\d{4,8}+)(?![\w-])(?!\s?[.,\d]\d)"
    r"(?P<ends>(?=\s{0,3}+(?:$|[.,;:!?)\]}\"'\n]|(?:and|or|for|please|pls|thanks|cv[cv])\b)))?+"
    r"(?!\s{0,3}+(?:mm|cm|m|in|inch|inches|g|kg|x|of|pack|pcs|pieces|edition|pin|pins)\b)",
    re.I,
)
"""With nothing between: four digits that end a sentence, or whose owner is named."""

_IS_MINE = re.compile(
    r"(?<!\S)(?P<said>[^\s\"',;]{3,60}+)(?P<is>\s{1,3}+(?:is|was|=)\s{1,3}+(?:my|the|our)\s{1,3}+"
    r"(?:card\s)?(?:(?P<password>pass ?word|passcode|passphrase|pwd)|(?P<pin>pin)"
    r"|(?P<code>cv[cv]2?|security code))\b)",
    re.I,
)
"""The secret before its name."""

_ONCE = re.compile(
    r"(?<![A-Za-z0-9])((?:otp|(?:verification|one[ -]time|2fa)[ -](?:code|password|passcode))"
    rf"{_QUOTED}(?:{_IS}{{1,3}}+|(?=\s))\s{{0,3}}+{_QUOTED})\d{{4,8}}+(?![\w.,]{{0,40}}\d)",
    re.I,
)

# Bounded, and no part can take what the next one could.
_CODE = re.compile(
    r"(?<![A-Za-z0-9])((?:c\.?v\.?[cvn](?:2|\.(?=\s))?|cid|csc"
    r"|(?:card[ _-]?)?security[ _-]?(?:code|number)"
    r"|card[ _-]?(?:code|verification[ _-]?(?:code|number|value)))"
    r"(?:\s{0,3}(?:code|number|is|of|['\u2019]s|[:=#(-]|\\?[\"'])){0,5}\s{0,3})\d{3,4}(?!\d)",
    re.I,
)

_MAY_NAME = re.compile(
    "pass|pwd|pw|wort|woord|senha|contrase|key|token|secret|phrase|pin|otp|code|cv[cv]|csc", re.I
)
_LONGEST_NAMED = 1_000

_WORDS = """
a about accepted again already also always an and any anything as asked at bad because been
being blank blocked broken but by case changed compromised confidential correct easy empty
encrypted entered expired fine for forgotten from given gone good hard hashed here hidden i if
in incorrect insecure invalid it its just kept known leaked locked long lost mandatory mine
missing my necessary needed never new no nobody none not nothing of ok okay old on only optional
or our private protected redacted refused rejected remembered required reset right safe same
saved secret secure sent set short shown so something still stolen stored strong taken that the
their there they this to too typed unknown unsafe used useless valid very weak what where which
who why with without working wrong yet you your yours
"""
_SAYS_OF_IT = frozenset(_WORDS.split())
"""What is said of a password and is none."""


def without_secrets(text: str) -> str:
    """Write every secret in a text as `[secret]`, and a card's security code as one."""
    text = _HEADER.sub(rf"\1{SECRET}", _SIGNED.sub(SECRET, _TOKEN.sub(SECRET, text)))
    text = _BASIC.sub(_unless_a_word, _COOKIE.sub(rf"\1{SECRET}", text))
    return _TOLD.sub(rf"\1{SECRET}", _without_named(text))


def secret_under(name: str, value: str) -> str | None:
    """Return what stands for a value that is a secret by its name in a JSON object; else None."""
    if _MAY_NAME.search(name) is None or _says_of_it(value):
        return None
    # A secret is short, and what stands behind one line of it changes nothing.
    said, bare = (f'{one}: "{value[:_LONGEST_NAMED]}"' for one in (name, "it"))
    kept, kept_bare = _without_named(said), _without_named(bare)
    if kept.removeprefix(name) == kept_bare.removeprefix("it"):
        return None
    return SECURITY_CODE if SECURITY_CODE in kept else SECRET


def _without_named(text: str) -> str:
    text = _PHRASE.sub(_unless_said_of_phrase, _PASSWORD.sub(_unless_said_of_it, text))
    for told in (_PASSWORD_SAID, _PASS, _KEY, _PIN, _ONCE):
        text = told.sub(rf"\1{SECRET}", text)
    text = _IS_MINE.sub(_unless_said_before, _PIN_SAID.sub(_unless_a_number, text))
    return _CODE.sub(rf"\1{SECURITY_CODE}", text)


def _unless_said_of_it(found: re.Match[str]) -> str:
    word = found["word"]
    if word is None:
        return f"{found[1]}{SECRET}"
    kept = word.rstrip(".,;:!?)}]\"'\u201d")
    if word.startswith(SECRET) or not kept or _says_of_it(kept):
        return found.group()
    return f"{found[1]}{SECRET}{word[len(kept) :]}"


def _unless_said_of_phrase(found: re.Match[str]) -> str:
    """Take the whole phrase out; one may well begin with a word that says something of it."""
    words = (found["phrase"] or "").split(maxsplit=2)[:2]
    return found.group() if words and all(map(_says_of_it, words)) else f"{found[1]}{SECRET}"


def _unless_a_number(found: re.Match[str]) -> str:
    """Take out what nothing but its place says to be a PIN."""
    is_short = len(found["pin"]) == _PIN_DIGITS
    is_told = found["counted"] or (is_short and (found["whose"] or found["ends"] is not None))
    return f"{found[1]}{SECRET}" if is_told else found.group()


def _unless_said_before(found: re.Match[str]) -> str:
    said = found["said"]
    if found["code"]:
        is_one = said.isdecimal() and len(said) in (3, 4)
        return f"{SECURITY_CODE}{found['is']}" if is_one else found.group()
    if found["pin"]:
        is_one = said.isdecimal() and 4 <= len(said) <= 8
    else:
        is_one = any(map(str.isdecimal, said)) and any(map(str.isalpha, said))
    return f"{SECRET}{found['is']}" if is_one else found.group()


_PIN_DIGITS = 4


def _says_of_it(word: str) -> bool:
    return word.strip("(,\"'").casefold() in _SAYS_OF_IT


def _unless_a_word(found: re.Match[str]) -> str:
    """Take out what names a user and a password; "basic waterproof" names none."""
    try:
        named = binascii.a2b_base64(found[2], strict_mode=True).decode()
    except ValueError:
        return found.group()
    return f"{found[1]}{SECRET}" if ":" in named else found.group()
