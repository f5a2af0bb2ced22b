"""Captcha widgets: each tells a captcha only on a refusal, or with nothing else on the page."""

from crawler.classification.signature import Sign, refused_with
from crawler.contracts.outcome import Kind

WIDGETS: tuple[tuple[str, str, bytes], ...] = (
    ("recaptcha", "recaptcha", b"google.com/recaptcha/"),
    ("recaptcha-net", "recaptcha", b"recaptcha.net/recaptcha/"),
    ("recaptcha-class", "recaptcha", b"g-recaptcha"),
    ("hcaptcha", "hcaptcha", b"hcaptcha.com/"),
    ("hcaptcha-class", "hcaptcha", b"h-captcha"),
    ("turnstile", "cloudflare", b"challenges.cloudflare.com/turnstile"),
    ("turnstile-class", "cloudflare", b"cf-turnstile"),
    ("geetest", "geetest", b"geetest"),
    ("arkose", "arkose", b"arkoselabs.com"),
    ("funcaptcha", "arkose", b"funcaptcha"),
    ("friendly-captcha", "friendly captcha", b"frc-captcha"),
    ("friendly-captcha-cdn", "friendly captcha", b"friendlycaptcha"),
    ("captcha-eu", "captcha.eu", b"captchaeu"),
    ("mtcaptcha", "mtcaptcha", b"mtcaptcha"),
    ("altcha", "altcha", b"<altcha-widget"),
    ("tencent", "tencent", b"tencentcaptcha"),
    ("smartcaptcha", "yandex", b"smartcaptcha"),
)
"""Rule, maker, marker. Ordinary pages have them in their forms."""
FIELDS = (b"<textarea", b'type="email"', b'type="password"', b'type="text"', b"<article")
GATES: tuple[tuple[str, str, bytes], ...] = (
    ("recaptcha", "recaptcha", b'class="g-recaptcha'),
    ("hcaptcha", "hcaptcha", b'class="h-captcha'),
    ("turnstile", "cloudflare", b'class="cf-turnstile'),
    ("geetest", "geetest", b"initgeetest"),
)
"""Rule, maker, marker of a widget that stands in the page itself: with a line of text beside it
and nothing to fill in, the page is made for it."""
GATE_WORDS = 25
NO_GATE = (*FIELDS, b"og:title", b"<nav", b"<footer")
SIGNS = (
    *(
        refused_with(f"{name}-refusal", vendor, Kind.CAPTCHA, marker)
        for name, vendor, marker in WIDGETS
    ),
    *(
        Sign(f"{name}-alone", vendor, Kind.CAPTCHA, markers=(marker,), absent=FIELDS, most_words=0)
        for name, vendor, marker in WIDGETS
    ),
    *(
        Sign(
            f"{name}-gate",
            vendor,
            Kind.CAPTCHA,
            markers=(marker,),
            absent=NO_GATE,
            most_words=GATE_WORDS,
        )
        for name, vendor, marker in GATES
    ),
)
