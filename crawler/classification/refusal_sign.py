"""What challenges and blocks of any maker say to a reader, as a table.

Each row joins who is addressed with what is done to him, or with why: an article that reports on
either says it of someone else, or goes on for longer than these pages do.
"""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

import re

from crawler.classification.refusal_phrase import (
    ACTIVITY,
    ADDRESSED,
    BLOCKED,
    BLOCKED_ABROAD,
    CHECKING,
    CONTEXT,
    DETAIL,
    HAS_BEEN,
    NO_ROBOT,
)
from crawler.classification.signature import UNSAID, Sign, with_headline, with_text
from crawler.contracts.outcome import Kind

_C, _P, _B = Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK

NO_PAGE = (b"og:title", b"stylesheet", b"<nav", b"<footer", b"<article")
"""What a page has that is more than a gate which sets a cookie and has itself asked for again."""
FORM = (b"<textarea",)
"""A form to write in, in which the question is asked in passing."""
SECURITY_CHECK = (
    r"(security (check|verification|testing|measure)|challenge validation|"
    r"verify to continue|one moment,? please|"
    r"v[ée]rification de s[ée]curit[ée]|sicherheits(check|abfrage|[üu]berpr[üu]fun"
    r"g)|проверка безопасности|verificaci[óo]n de seguridad|"
    r"verifica di sicurezza|verifica[çc][ãa]o de segurança|beveiligingscontrole|"
    r"安全验证|人机验证|安全検証|セキュリティチェック|.*\bverif(y|ying) if your "
    r"connection is secure)"
)
HEADLINES = (
    with_text(
        "country-refused",
        "generic",
        Kind.GEO,
        r"(?:access|traffic|visitors|visits|requests|connections|users) from (?:your|this) "
        r"(?:country|region|location)[^.]{0,30}(?:not (?:allowed|permitted|supported)|blocked|"
        r"denied|restricted|forbidden|prohibited)|(?:blocked|denied|restricted) (?:access )?"
        r"(?:from|in|for) your (?:country|region)|block access from your country",
        most_words=120,
        hints="your country|your region|your location|this country|this region|this location",
    ),
    Sign(
        "security-captcha",
        "generic",
        _P,
        headline=re.compile(SECURITY_CHECK),
        texts=(
            re.compile(
                r"captcha|puzzle|slider|\bdrag\b|拖动|滑块|点击.{0,8}验证|完成.{0,6}验证|"
                r"(?:enter|type) the (?:characters|code)"
            ),
        ),
        most_words=160,
    ),
    Sign(
        "permission-denied",
        "generic",
        Kind.DENIED,
        headline=re.compile(
            r"(403:? |error 403:? )?access (is )?(denied|forbidden|restricted)( \|.*)?"
        ),
        texts=(
            re.compile(
                r"you (?:are|'re) not (?:authori[sz]ed|allowed|permitted) to (?:access|view|see) "
                r"this (?:page|area|content|section)"
            ),
        ),
        absent=(b"support id", b"firewall", b"your ip"),
    ),
    with_headline(
        "checking-browser",
        "generic",
        _C,
        r"(please wait\W+)?(checking|verifying) (your|if the|the|that) .*",
    ),
    with_headline("wait-seconds", "generic", _C, r"(loading\W+)?please wait \d+ seconds"),
    with_headline(
        "security-check",
        "generic",
        _C,
        SECURITY_CHECK,
    ),
    with_headline(
        "client-challenge",
        "generic",
        _C,
        r"(client|browser|javascript|js|bot) (challenge|verification)( page)?",
    ),
    with_headline(
        "being-redirected",
        "generic",
        _C,
        r"(you are being redirected|waiting for the redirect(iron)?)",
        most_words=60,
    ),
    with_headline(
        "human-check",
        "generic",
        _P,
        r".*\b(verify(ing)?|prove|confirm|know) (that )?you('re| are) (a )?(real )?(human|person|"
        r"not a (ro)?bot)\b.*",
    ),
    with_headline(
        "human-verification",
        "generic",
        _P,
        r"(human|captcha|robot|user) (verification|check|challenge|test)( "
        r"required)?",
    ),
    with_headline(
        "captcha",
        "generic",
        _P,
        r"((re|h)?captcha( (page|required|challenge|check))?|enter captcha)",
        most_words=120,
    ),
    with_headline(
        "robot-question",
        "generic",
        _P,
        r"(are you (a )?((ro)?bot|human)|.*\bnot a robot|(ro)?bot or (not|"
        r"human)|robot check)\??",
    ),
    with_headline(
        "you-are-blocked",
        "generic",
        _B,
        r"(sorry, |whoops, )?(you|your (ip|ip address|access|request)) "
        rf"{HAS_BEEN}{{1,4}}{BLOCKED}\b.*",
    ),
    with_headline(
        "automated-request",
        "generic",
        _B,
        r"(automated|unusual|suspicious|malicious) (request|traffic|activity|"
        r"access|behaviou?r)s?( detected)?",
    ),
    with_headline(
        "security-block",
        "generic",
        _B,
        r"(security|firewall|access|request|ip|bot|connection|waf|website|"
        r"web page) block(ed)?"
        r"|possible security risk detected|security (risk|incident|violation|"
        r"alert)( \w+)?( detected)?|\d{3} security incident detected",
    ),
    with_headline(
        "bot-protection",
        "generic",
        _B,
        r"((ro)?bot|ddos|anti-?bot) (protection|mitigation|detection)( firewall)?",
        most_words=80,
    ),
    with_headline(
        "access-denied",
        "generic",
        _B,
        r"(error \d{3}\W+)?(access (is )?(denied|restricted|forbidden)|403 "
        r"access denied|denied|blocked|access denied (?!for your|in your|from "
        r"your).*|request denied|"
        r"unauthori[sz]ed access|banned|you are banned)",
        most_words=180,
    ),
    with_headline("denied-abroad", "generic", _B, rf"({BLOCKED_ABROAD}).{{0,12}}", most_words=180),
)
TEXTS = (
    with_text(
        "captcha-words",
        "generic",
        _P,
        r"(complete|solve|pass|fill in|enter|type) (the|this|a|following) "
        r"(\w+ )?(captcha|security check|puzzle|characters|letters|code (shown|in the|you see))",
        most_words=160,
        absent=FORM,
        hints="code|captcha|security check|puzzle|characters|letters",
    ),
    with_text(
        "browser-words",
        "generic",
        _C,
        CHECKING,
        most_words=200,
        hints="secure connection|enable javascript|request is being|check|verif|vérif|redirect|"
        "protection|security|while we|making sure|berpr|comprobando|провер|sprawdzanie|tarayıcınız|正在|ブラウザ",
    ),
    with_text(
        "traffic-words",
        "generic",
        _B,
        ACTIVITY,
        r"\b(you|your|we|our|this|ip)\b",
        rf"{BLOCKED}|\bblock\b|limited|detected|denied|abort|refus",
        most_words=260,
        hints="suspicious|suscipious|unusual|malicious|abnormal|automated|unauthori|"
        "aggressive|hostile|undesirable|excessive|abusive|potentially|bot|"
        "harmful",
    ),
    with_text(
        "you-words",
        "generic",
        _B,
        rf"\b(you|we) (?:\w+ )?{HAS_BEEN}{{1,6}}(?:detected and )?(blocked|banned)\b",
        CONTEXT,
        most_words=260,
        hints="blocked|banned",
    ),
    with_text(
        "you-words-alone",
        "generic",
        _B,
        rf"\byou {HAS_BEEN}{{1,4}}(blocked|banned)\b",
        most_words=30,
        hints="blocked|banned",
    ),
    with_text(
        "request-words",
        "generic",
        _B,
        rf"\b{ADDRESSED} {DETAIL}{HAS_BEEN}{{1,12}}(?:\w+ )?{BLOCKED}\b",
        CONTEXT,
        most_words=260,
        hints="blocked|banned|denied|refused|rejected|restricted|blacklisted|block-listed|filtered",
    ),
    with_text(
        "has-blocked-words",
        "generic",
        _B,
        r"has (blocked|banned|restricted) (?:access|your (?:ip|access|request)|"
        r"this request)",
        CONTEXT,
        most_words=200,
        hints="has blocked|has banned|has restricted",
    ),
    with_text(
        "request-security",
        "generic",
        _B,
        r"\brequest\b",
        rf"\b(was|been|is) {HAS_BEEN}{{0,3}}(blocked|refused|rejected|denied)\b",
        r"firewall|security|suspicious|malicious|bot\b|robot|\bip\b|vpn|request "
        r"id|incident",
        most_words=120,
        hints="request",
    ),
    with_text(
        "blocked-words",
        "generic",
        _B,
        r"sorry, you have been blocked|(ip|access|spider|crawler|bot) (has "
        r"been )?blocked\b",
        most_words=60,
        hints="blocked",
    ),
    with_text(
        "misuse-words",
        "generic",
        _B,
        r"blocked (due to|for|because of) (a )?(possible )?(misuse|abuse|suspicious|"
        r"spam|aggressive)",
        hints="blocked",
    ),
    with_text(
        "robot-words",
        "generic",
        _P,
        NO_ROBOT,
        r"captcha|verify|confirm|prove|check|robot|bot|ロボット|机器人|로봇|验证|mensch|human|humain|umano",
        most_words=180,
        absent=FORM,
        hints="mensch|humain|human|umano|滑块|验证码|slide to|bot|робот|robô|ロボット|机器人|機器人|로봇|验证",
    ),
    with_text(
        "human-words",
        "generic",
        _P,
        r"(verify|prove|confirm|sure|know|whether|tell if) (that )?(you('re|"
        r" are)|you)( a)? (real )?human|show us your human side|are you (a "
        r")?human",
        absent=FORM,
        hints="human",
    ),
    with_text(
        "request-words-alone",
        "generic",
        _B,
        rf"\b{ADDRESSED} {DETAIL}{HAS_BEEN}{{1,4}}(?:blocked|banned|denied|"
        rf"refused|rejected|flagged)\b"
        r"|web ?page blocked|banned your access|blocked by (?:the )?(?:security|"
        r"firewall|administrator)",
        most_words=30,
        hints="blocked|banned|denied|refused|rejected|flagged",
    ),
    with_text(
        "bots-words",
        "generic",
        _B,
        r"(?:bots?|robots|crawlers|scrap(?:ing|ers)|automated (?:access|requests|"
        r"tools|queries))(?: \w+){0,5} (?:is|are) (?:\w+ )?"
        r"(?:not (?:allowed|permitted|welcome)|prohibited|forbidden|blocked|banned)",
        most_words=40,
        hints="bot|crawler|scrap|automated",
    ),
    with_text(
        "limit-words",
        "generic",
        _B,
        r"too many requests|too much traffic from|exceeded the (maximum|allowed|"
        r"limit)[^.]{0,30}requests|"
        r"(accessing|requesting) \S+ too (much|fast|often|quickly)|you('re|"
        r" are) being rate limited|rate limit exceeded",
        r"\b(?:you|your|ip|429|please|try|limit\w*|user|slow)\b|\A.{0,60}(?:\n|\Z)",
        most_words=120,
        hints="too m|too f|too o|too q|exceeded|rate limit",
    ),
    with_text(
        "scraper-words",
        "generic",
        _B,
        r"(trying to (extract|scrape|harvest|copy)|scraping|crawling) [^.]{0,40}(websi"
        r"te|site|information|content|data)",
        r"abort|block|denied|not (allowed|permitted)|forbidden",
        most_words=60,
        hints="extract|scrap|harvest|copy|crawling",
    ),
    with_text(
        "abroad-words",
        "generic",
        _B,
        BLOCKED_ABROAD,
        r"\b(?:ip|security|sicherheit\w*|sécurité|seguridad|segurança|sicurezza|"
        r"firewall|bots?|captcha|40[356]|"
        r"admin\w*|webmaster|support|request|id|error\w*|vpn|blockiert|безопасн\w*)\b|"
        r"安全|セキュリティ|보안|防火墙|拦截",
        most_words=220,
        hints="zugriff|anfrage|blockier|geblockt|gesperrt|accès|acces|bloqu|bloque|"
        "acesso|accesso|bloccat|toegang|geblokkeerd|доступ|запрос|заблокир|"
        "ip-адрес|ip адрес|dost|zablokowany|engellen|tkomst|stup|访问|封|请求|"
        "請求|アクセス|차단|접근|접속",
    ),
    with_text(
        "source-words",
        "generic",
        _B,
        r"unauthori[sz]ed source|unauthori[sz]ed (request|access)|incident "
        r"id",
        r"sorry|denied|unable to access|apologi",
        most_words=100,
        hints="unauthori|incident id",
    ),
    with_text(
        "proxy-words",
        "generic",
        _B,
        r"(?:vpns?|prox(?:y|ies)|anonymi[sz]ers?|tor)\b[^.]{0,40}(?:detected|(?:is|are) not "
        r"(?:allowed|permitted|supported)|blocked|forbidden)|(?:disable|turn off|deactivate|"
        r"disconnect) (?:your |any )?(?:vpn|proxy)",
        r"\b(?:you|your|detected|access|please|exit nodes?)\b",
        most_words=60,
        hints="vpn|prox|anonymi|tor ",
    ),
    with_text(
        "ad-blocker-words",
        "generic",
        _B,
        r"ad[- ]?block(?:er)?s?\b[^.]{0,20} detected|(?:disable|turn off|deactivate|pause) your "
        r"ad[- ]?block",
        most_words=50,
        hints="ad block|adblock|ad-block",
    ),
    Sign(
        "cookie-reload",
        "generic",
        _C,
        markers=(b"document.cookie", b"location.reload"),
        most_words=25,
        absent=NO_PAGE,
    ),
    Sign(
        "cookie-refresh",
        "generic",
        _C,
        markers=(b"document.cookie", b'http-equiv="refresh"'),
        most_words=25,
        absent=(*NO_PAGE, b'content="0;url=http'),
    ),
    Sign(
        "cookie-script",
        "generic",
        _C,
        markers=(b"document.cookie",),
        most_words=8,
        absent=(
            b"<div",
            b"<noscript><iframe",
            b"og:title",
            b"stylesheet",
            b'http-equiv="refresh" content="0;url=http',
        ),
    ),
    Sign("robot-refusal", "generic", _P, markers=(b"not a robot",), statuses=UNSAID),
    Sign("blocked-by-security", "generic", _B, markers=(b"blocked by security",), statuses=UNSAID),
)
SIGNS = (*HEADLINES, *TEXTS)
