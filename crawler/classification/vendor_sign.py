"""Challenges and blocks that are known by their maker, as a table. The order is that of trial."""

import re

from crawler.classification.signature import (
    Sign,
    refused_with,
    with_header,
    with_headline,
    with_markers,
    with_text,
)
from crawler.contracts.outcome import Kind

_C, _P, _B = Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK

HEADERS = (
    with_header("cloudflare-mitigated", "cloudflare", _C, "cf-mitigated", "challenge"),
    with_header("aws-waf-captcha", "aws", _P, "x-amzn-waf-action", "captcha"),
    with_header("aws-waf-action", "aws", _C, "x-amzn-waf-action", "challenge"),
    with_header("vercel-denied", "vercel", _B, "x-vercel-mitigated", "deny"),
    with_header("vercel-mitigated", "vercel", _C, "x-vercel-mitigated", "challenge"),
)
CLOUDFLARE = (
    with_text(
        "cloudflare-captcha",
        "cloudflare",
        _P,
        r"why do i have to complete a captcha",
        hints="captcha",
    ),
    Sign("cloudflare-norobot", "cloudflare", _P, markers=(b"cf-norobot-container",)),
    with_markers(
        "cloudflare-turnstile-gate", "cloudflare", _C, b"challenge-error-text", b"cdn-cgi"
    ),
    with_headline(
        "just-a-moment",
        "cloudflare",
        _C,
        r"(just a moment|nur einen moment|один момент|un momento|"
        r"einen moment|un instant|um momento|nog even geduld|bir dakika l[üu]tfen|"
        r"请稍候|請稍候|しばらくお待ちください|잠시만 기다리십시오)",
    ),
    with_markers("cloudflare-options", "cloudflare", _C, b"_cf_chl_opt"),
    with_markers("cloudflare-form", "cloudflare", _C, b"challenge-form", b"jschl"),
    with_markers("cloudflare-spinner", "cloudflare", _C, b"cf-browser-verification"),
    Sign("cloudflare-bot-fight", "cloudflare", _C, markers=(b"/cdn-cgi/bm/cv/",), most_words=0),
    with_markers(
        "cloudflare-jsch", "cloudflare", _C, b"/cdn-cgi/challenge-platform/", b"orchestrate"
    ),
    with_text(
        "cloudflare-country",
        "cloudflare",
        Kind.GEO,
        r"banned the (?:country|region|country or region) your ip address is in",
        hints="banned the",
    ),
    with_headline("additional-verification", "cloudflare", _C, r"additional verification required"),
    with_text(
        "cloudflare-limited",
        "cloudflare",
        _B,
        r"error 10(?:0[5-9]|1[0-35]|2\d)\b",
        r"ray id|cloudflare|access denied|banned|rate limited",
        hints="error 10",
    ),
    with_headline("attention-required", "cloudflare", _B, r"attention required!? \| cloudflare"),
    with_headline(
        "cloudflare-restricted", "cloudflare", _B, r".* used cloudflare to restrict access"
    ),
    with_markers("cloudflare-block", "cloudflare", _B, b"cf-error-details", b"blocked"),
    refused_with("cloudflare-code", "cloudflare", _B, b"cf-error-code", b"denied"),
)
NETWORKS = (
    with_markers("datadome-check", "datadome", _C, b"captcha-delivery.com/", b"'rt':'i'"),
    with_markers("datadome-script", "datadome", _P, b"captcha-delivery.com/c.js"),
    with_markers("datadome-interstitial", "datadome", _C, b"captcha-delivery.com/i.js"),
    with_markers("datadome-frame", "datadome", _P, b"captcha-delivery.com/captcha"),
    with_markers("datadome-refusal", "datadome", _P, b"captcha-delivery.com/", b"dd="),
    with_text("datadome-notice", "datadome", _C, r"please enable js and disable any ad blocker"),
    with_markers("akamai-json", "akamai", _C, b'"sec-cp-challenge"'),
    with_markers("akamai-sec", "akamai", _C, b"sec-if-cpt-container"),
    with_markers("akamai-behaviour", "akamai", _C, b"sec-bc-tile-container"),
    with_markers("akamai-verify", "akamai", _C, b"bm-verify"),
    with_markers("akamai-crypto", "akamai", _C, b"/_sec/cp_challenge/"),
    with_markers("akamai-reference", "akamai", _B, b"access denied", b"edgesuite.net"),
    with_markers(
        "akamai-denied",
        "akamai",
        _B,
        b"you don't have permission to access",
        b"reference&#32;&#35;",
    ),
    with_text(
        "akamai-number",
        "akamai",
        _B,
        r"(reference|incident|error|#)[^.]{0,30}\b\d{1,2}\.[0-9a-f]{6,8}\.\d{10}\.[0-9a-f]{6,8}\b",
        r"denied|unavailable|blocked|permission|not available|reference #",
        hints="reference|incident|error|#",
    ),
    with_markers("imperva-incident", "imperva", _B, b"incapsula incident id"),
    with_markers("imperva-frame", "imperva", _C, b"_incapsula_resource", b'id="main-iframe"'),
    Sign(
        "imperva-script",
        "imperva",
        _C,
        markers=(b"_incapsula_resource",),
        most_words=0,
        absent=(b"stylesheet", b"og:title"),
    ),
    Sign("imperva-interstitial", "imperva", _C, markers=(b"/_imperva/", b"reese84"), most_words=30),
    with_headline("pardon-interruption", "imperva", _C, r"pardon our interruption"),
    with_text("imperva-notice", "imperva", _B, r"powered by imperva|imperva incident"),
    with_text(
        "distil-notice", "distil", _C, r"something about your browser made us think you were a bot"
    ),
    with_markers("distil-script", "distil", _C, b"distil_r_captcha", most_words=60),
    with_markers("distil-identify", "distil", _C, b"distil_identify_cookie", most_words=60),
    with_markers("human-press", "human", _P, b"px-captcha"),
    with_markers("human-cdn", "human", _P, b"captcha.px-cdn.net"),
    refused_with("human-block", "human", _P, b"window._pxappid", b"captcha"),
    with_text(
        "human-hold",
        "human",
        _P,
        r"press (&|and) hold\b",
        r"human|\bbot|confirm you|to (confirm|verify|continue)",
    ),
    with_markers("human-json", "human", _P, b'"blockscript"', b"/captcha"),
    with_text("human-contact", "human", _B, r"challengehelp@humansecurity\.com"),
    with_headline(
        "access-page-denied", "human", _B, r"access to this page has been (denied|blocked)"
    ),
    with_markers("aws-waf-script", "aws", _C, b"awswafcookiedomainlist", most_words=60),
    with_markers("aws-waf-token", "aws", _C, b"awswafintegration.gettoken", most_words=60),
    with_markers("aws-waf-challenge", "aws", _C, b".awswaf.com/", b"challenge.js", most_words=60),
    with_markers("aws-waf-host", "aws", _P, b"captcha.awswaf.com", most_words=60),
    with_text(
        "cloudfront-blocked",
        "aws",
        _B,
        r"the request could not be satisfied",
        r"generated by cloudfront",
    ),
    with_markers("kasada-script", "kasada", _C, b"window.kpsdk", most_words=40),
    Sign("kasada-loader", "kasada", _C, markers=(b"/ips.js?", b"kpsdk"), most_words=30),
    with_markers("f5-rejected", "f5", _B, b"the requested url was rejected", b"support id"),
    with_text("f5-text", "f5", _B, r"the requested url was rejected"),
    with_headline("request-rejected", "f5", _B, r"request rejected"),
    with_markers("f5-script", "f5", _C, b"bobcmn", most_words=40),
    Sign("f5-loader", "f5", _C, markers=(b"/tspd/",), most_words=12),
    with_markers(
        "shape-loader",
        "f5",
        _C,
        b"please enable javascript to view the page content",
        b"support id",
    ),
    with_markers("shape-sensor", "f5", _C, b"istlwashere", most_words=40),
    with_markers("sucuri-script", "sucuri", _C, b"sucuri_cloudproxy_js"),
    with_markers("sucuri-block", "sucuri", _B, b"sucuri website firewall", b"access denied"),
    with_markers("ddos-guard-script", "ddos-guard", _C, b"ddos-guard/js-challenge"),
    with_headline("ddos-guard-title", "ddos-guard", _C, r"ddos-?guard"),
    Sign("ddos-guard-text", "ddos-guard", _B, texts=(re.compile(r"ddos-guard"),), most_words=3),
    with_markers("radware-captcha", "radware", _P, b"captcha.perfdrive.com"),
    with_markers("radware-validate", "radware", _P, b"validate.perfdrive.com"),
    with_headline("radware-title", "radware", _P, r"radware (captcha page|bot manager captcha)"),
    with_markers("radware-shieldsquare", "radware", _P, b"shieldsquare", b"captcha", most_words=80),
    with_markers("stackpath-script", "stackpath", _C, b"/sbbi/?sbbpg", most_words=60),
    with_text("stackpath-notice", "stackpath", _C, r"security services provided by stackpath"),
    with_headline("security-checkpoint", "vercel", _C, r"(vercel )?security checkpoint"),
    Sign("fastly-challenge", "fastly", _C, markers=(b"/_fs-ch-",)),
    with_markers("reblaze-script", "reblaze", _C, b"rbzns", b"challenge"),
    with_markers("reblaze-seed", "reblaze", _C, b"window.rbzns", most_words=20),
    Sign(
        "reblaze-notice", "reblaze", _B, texts=(re.compile(r"protected by reblaze"),), most_words=20
    ),
    with_markers("qrator-script", "qrator", _C, b"/__qrator/"),
    with_text(
        "qrator-notice",
        "qrator",
        _B,
        r"\bqrator\b",
        r"forbidden|blocked|denied|запрещ",
        hints="qrator",
    ),
    with_markers("stormwall-script", "stormwall", _C, b"stormwall", b"challenge"),
    with_markers("variti-script", "variti", _C, b"variti", b"captcha"),
    with_markers("siteground-captcha", "siteground", _C, b"/.well-known/sgcaptcha/"),
    with_headline("front-door-block", "azure", _B, r"the request is blocked"),
    with_text(
        "front-door", "azure", _B, r"azure ref", r"block|unavailable|services aren't available"
    ),
    with_markers("azure-waf-challenge", "azure", _C, b"azure waf", b"challenge", most_words=60),
    with_text(
        "barracuda-block",
        "barracuda",
        _B,
        r"barracuda|waf by barracuda",
        r"block|denied",
        hints="barracuda",
    ),
    with_text(
        "fortinet-block",
        "fortinet",
        _B,
        r"fortigate|fortiweb|fortiguard|attack id",
        r"block|denied|violation",
        hints="forti|attack id",
    ),
    with_text(
        "citrix-block",
        "citrix",
        _B,
        r"netscaler|citrix",
        r"block|violation|denied",
        hints="citrix|netscaler",
    ),
    with_text("wallarm-block", "wallarm", _B, r"wallarm", r"block|denied|forbidden"),
    with_text("modsecurity-text", "modsecurity", _B, r"mod[_ ]?security"),
    refused_with("modsecurity-block", "modsecurity", _B, b"mod_security"),
    Sign(
        "anubis-denied",
        "anubis",
        _B,
        headline=re.compile(r"oh noes!?"),
        markers=(b".within.website/x/cmd/anubis",),
    ),
    with_headline("anubis-title", "anubis", _C, r"making sure you're not a bot"),
    Sign("anubis-script", "anubis", _C, markers=(b'<script id="anubis_challenge"',)),
    with_markers("anubis-page", "anubis", _C, b".within.website/x/cmd/anubis", most_words=200),
    with_markers("go-away", "go-away", _C, b"/.well-known/.git.gammaspectra.live"),
    with_markers("queue-it", "queue-it", _C, b"queue-it.net", b"waiting", most_words=80),
    with_text(
        "waiting-room",
        "generic",
        _C,
        r"you are (?:now )?(?:in line|in the queue|in a queue|in the waiting room)|"
        r"waiting room powered by|you have been placed in a (?:queue|waiting room)",
        most_words=120,
        hints="in line|queue|waiting room",
    ),
    with_text(
        "bunkerweb-gate", "bunkerweb", _C, r"\bbunkerweb\b", most_words=60, hints="bunkerweb"
    ),
)
SIGNS = (*HEADERS, *CLOUDFLARE, *NETWORKS)
