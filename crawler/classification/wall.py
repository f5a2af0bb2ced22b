"""Tell pages that ask for consent, money or another country from the page asked for.

A banner beside the content is no wall: the page must have little else to read.
"""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

from crawler.classification import wall_abroad
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_verdict, with_headline, with_text
from crawler.contracts.outcome import Kind, Reason, Verdict

_PLACE = r"(?:country|region|location|area|state|territory|jurisdiction|part of the world)"
_LAND = (
    r"(?:united states|u\.?s\.?a?\.?|united kingdom|u\.?k\.?|european union|e\.?u\.?|europe|"
    r"european economic area|australia|canada|germany|france|new zealand|ireland|india|japan)"
)


GEO = (
    with_headline(
        "not-in-region",
        "generic",
        Kind.GEO,
        rf".*\b(not|un) ?(currently )?available (in|to|from|at) your {_PLACE}\b.*",
    ),
    with_headline(
        "country-blocked",
        "generic",
        Kind.GEO,
        rf"({_PLACE} (is )?(blocked|restricted|not (supported|allowed|available))"
        rf"|(geo|region|country)[- ]?(block|restrict)(ed|ion)?)",
    ),
    with_text(
        "geo-place",
        "generic",
        Kind.GEO,
        rf"\b(?:not|isn't|aren't|un) ?(?:yet |currently |presently )?(?:available|"
        rf"accessible|offered|supported|possible|viewable)"
        rf" (?:\w+ )?(?:in|to|from|at|outside) (?:users in |visitors (?:in|"
        rf"from) )?your (?:current )?(?:{_PLACE})",
        most_words=50,
        hints="your ",
    ),
    with_text(
        "geo-content",
        "generic",
        Kind.GEO,
        rf"(?:content|video|page|site|website|service|programme|program|article|"
        rf"app|stream|title|feature|website|product|offer|resource|store|media|"
        rf"game)s?"
        rf"[^.]{{0,60}} (?:not|isn't|aren't|un) ?(?:yet |currently |presently "
        rf")?(?:available|accessible|offered|supported|viewable) (?:\w+ )?(?:in|"
        rf"to|from|at) (?:users in |visitors (?:in|from) )?your (?:current "
        rf")?{_PLACE}",
        most_words=180,
        hints="your ",
    ),
    with_text(
        "geo-outside",
        "generic",
        Kind.GEO,
        rf"(?:not|only|un|isn't|aren't) ?(?:currently )?(?:available|accessible|permitted|"
        rf"allowed)[^.]{{0,70}}"
        rf"\b(?:outside|located outside|within) (?:of )?(?:the )?{_LAND}",
        most_words=120,
        hints="outside|within",
    ),
    with_text(
        "geo-only",
        "generic",
        Kind.GEO,
        rf"\b(?:only|exclusively) (?:available|works|accessible|viewable|licensed) (?:in|to|within|for)"
        rf"(?: \w+){{0,4}} "
        rf"(?:the )?{_LAND}",
        most_words=60,
        hints="only |exclusively ",
    ),
    with_text(
        "geo-visitors",
        "generic",
        Kind.GEO,
        rf"(?:visitors|users|access|traffic|customers|requests|connections) "
        rf"from your (?:{_PLACE})[^.]{{0,40}}"
        r"(?:not|block|denied|restrict|forbidden)",
        most_words=120,
        hints="from your",
    ),
    with_text(
        "geo-business",
        "generic",
        Kind.GEO,
        rf"(?:don't|doesn't|do not|does not|not) (?:yet )?(?:do business|operate|"
        rf"provide service|offer services?|sell) in your {_PLACE}",
        most_words=120,
        hints="in your",
    ),
    with_text(
        "geo-blocked",
        "generic",
        Kind.GEO,
        rf"your {_PLACE}[^.]{{0,40}}(?:is|has been|are) (?:\w+ )?(?:blocked|"
        rf"restricted|not supported|not permitted)"
        rf"|(?:blocked|restricted|prohibited) in your {_PLACE}|geo-?(?:blocked|"
        rf"restricted|restriction)|country (?:is )?blocked",
        most_words=100,
        hints="your |geo|country",
    ),
    with_text(
        "geo-gdpr",
        "generic",
        Kind.GEO,
        r"european economic area|\bgdpr\b|general data protection regulation",
        r"unavailable|not available|cannot grant|unable to (?:serve|grant|"
        r"provide)|451|access",
        r"\beurope|\beu\b|legal reasons|eea",
        most_words=180,
        hints="european economic area|gdpr|general data protection",
    ),
    with_text(
        "geo-serve",
        "generic",
        Kind.GEO,
        rf"(?:unable|not able) to (?:serve|offer|provide|ship|process|grant)[^.]{{0,60}}"
        rf" outside (?:of )?(?:the )?{_LAND}|"
        r"(?:from|in) a (?:country|region|location) (?:where|that|which)[^.]{0,50}(?:n"
        r"ot|n't) (?:available|supported|allowed|permitted|offer)|"
        r"(?:un|not )available in (?:most|some|many|all) (?:european|eu) countries|"
        r"your (?:country|region) is not supported|access denied for your "
        r"country",
        most_words=90,
        hints="outside|country|countries|region|location",
    ),
    with_text(
        "geo-legal", "generic", Kind.GEO, r"unavailable (?:for|due to) legal reasons", most_words=80
    ),
    with_text(
        "geo-abroad",
        "generic",
        Kind.GEO,
        r"in (?:deinem|ihrem|deiner|ihrer) (?:land|region)[^.]{0,20}nicht (?:verf[üu]gbar|"
        r"abrufbar)|nicht in (?:deinem|ihrem) land|"
        r"pas (?:\w+ )?(?:disponible|accessible) dans (?:votre|ton) (?:pays|"
        r"r[ée]gion)|no (?:est[áa] |se encuentra )?disponible en (?:tu|su) "
        r"(?:pa[íi]s|regi[óo]n|ubicaci[óo]n)|n[ãa]o (?:est[áa] )?dispon[íi]vel "
        r"(?:no|na|em) (?:seu|sua) (?:pa[íi]s|regi[ãa]o)|"
        r"non (?:[èe] )?disponibile nel (?:tuo|suo) paese|niet beschikbaar "
        r"in (?:jouw|uw|je) (?:land|regio)|"
        r"недоступ\w+ (?:\w+ )?(?:в|для) ваше[йгм]\w* (?:стран|регион)|niedost[ęe]pn\w"
        r"+ w (?:twoim|pa[ńn]stwa) (?:kraju|regionie)|"
        r"[üu]lkenizde (?:kullan[ıi]lam|mevcut de)|お住まいの(?:国|地域)|您所在的?(?:国家|地区|區域)|해당 (?:국가|지역)에서",
        most_words=120,
        hints="ihrem|deinem|ihrer|deiner|dans votre|dans ton|disponible|dispon|"
        "beschikbaar|недоступ|"
        "niedost|lkenizde|お住まい|您所在|해당",
    ),
)
CONSENT = (
    with_headline(
        "before-you-continue",
        "google",
        Kind.CONSENT,
        r"before you (continue|go|proceed)\b.*|bevor (du|sie) (fortf[aä]hr|"
        r"weiter|zu ).*|"
        r"avant d'acc[ée]der .*|avant de continuer.*|antes de (continuar|ir).*|"
        r"prima di (continuare|procedere).*|voordat (je|u) (verder|doorgaat).*",
        most_words=220,
    ),
    Sign("consent-form", "google", Kind.CONSENT, markers=(b'action="https://consent.',)),
    Sign(
        "consent-yahoo",
        "yahoo",
        Kind.CONSENT,
        markers=(b"consent.yahoo.com", b"<form"),
        most_words=250,
    ),
    Sign("consent-dpg", "dpg media", Kind.CONSENT, markers=(b"myprivacy.dpg",), most_words=120),
    with_headline(
        "cookie-wall",
        "generic",
        Kind.CONSENT,
        r"((cookie|privacy|data protection) (consent|wall|gate|settings|preferences|"
        r"choices)|cookies? (toestemming|muur)|"
        r"(your|we value your) privacy( (choices|matters|settings))?|privacy "
        r"gate|dpg media privacy gate|cookiewall)",
        most_words=160,
    ),
    with_text(
        "cookie-text",
        "generic",
        Kind.CONSENT,
        r"(?:we (?:value|respect) your privacy|(?:we|and our (?:\d+ )?partners) "
        r"(?:use|store|process)[^.]{0,60}(?:cookies|information|data))",
        r"(?:accept|agree|reject|manage|consent)(?: all| and (?:continue|close))",
        r"^.{0,120}(?:privacy|cookies|partners|consent)",
        r"privacy|partners|consent|preferences|settings|reject|policy",
        most_words=70,
        hints="privacy|cookies|information|data",
    ),
    with_text(
        "cookie-abroad",
        "generic",
        Kind.CONSENT,
        r"(?:alle|cookies) (?:akzeptieren|zulassen|accepteren)|(?:tout|tous) "
        r"accepter|aceptar tod[oa]s|accetta tutt[io]|aceitar tod[oa]s|"
        r"godk[äa]nn alla|принять все|すべて(?:同意|許可)|accepteer (?:alle )?cookies",
        r"cookies?|partner|daten|datos|donn[ée]es|dati|dados",
        most_words=60,
        hints="akzeptieren|zulassen|accepte|aceptar|accetta|aceitar|godk|принять|すべて",
    ),
    with_text(
        "pay-or-consent",
        "generic",
        Kind.CONSENT,
        r"(?:mit werbung (?:weiterlesen|nutzen|lesen)|weiter mit (?:werbung|"
        r"tracking)|zustimmen und weiter|"
        r"continuer sans accepter|accepter et (?:continuer|fermer)|accetta "
        r"e continua|aceptar y continuar)",
        r"cookies?|tracking|abo|donn[ée]es|dati|datos",
        most_words=220,
        hints="werbung|tracking|zustimmen|accepter|accetta|aceptar",
    ),
    with_headline(
        "age-gate",
        "generic",
        Kind.CONSENT,
        r"(age (verification|gate|check|restricted( content)?)|(please )?verify "
        r"your age|are you (over |at least )?(18|21)( years)?.*|"
        r"are you of legal (drinking )?age|content warning|altersverifikation|"
        r"alterspr[üu]fung)",
        most_words=120,
    ),
    with_text(
        "age-text",
        "generic",
        Kind.CONSENT,
        r"(?:you must|must|i am|i'm|you are|are you) (?:be )?(?:at least |"
        r"over |of legal )?(?:18|19|21|drinking age|legal age)(?: years)?",
        r"\b(?:enter|exit|yes|leave|confirm)\b",
        most_words=80,
        hints="18|19|21|age",
    ),
)
PAYWALL = (
    with_headline(
        "subscribe-to-read",
        "generic",
        Kind.PAYWALL,
        r"subscribe (now )?to (read|continue|unlock|keep reading|access)\b.*|"
        r"(this (article|story|content) is )?(for )?(subscribers?|members?)[ -]only( "
        r"content)?|(subscription|subscriber|membership) required|"
        r"premium (article|content)|become a (member|subscriber) to .*|already "
        r"a (subscriber|member)",
    ),
    with_text(
        "paywall-limit",
        "generic",
        Kind.PAYWALL,
        r"(?:reached|hit|used(?: up)?|exceeded) (?:your|the|all) [^.]{0,30}(?:free "
        r")?(?:articles?|stories|limit|views)\b|"
        r"read your (?:last|final) free",
        r"subscrib|sign (?:in|up)|log in|register|member",
        most_words=250,
        hints="reached|hit|used|exceeded|free",
    ),
    with_text(
        "paywall-text",
        "generic",
        Kind.PAYWALL,
        r"(?:to (?:continue reading|(?:read|unlock|access|view) (?:the (?:full|"
        r"rest|entire|whole)|this (?:article|story|content|report)))|"
        r"(?:article|story|content|page) is (?:\w+ )?(?:available |reserved "
        r")?(?:only )?(?:for|to) (?:\w+ )?(?:subscribers|members))",
        r"subscri|membership|\bmembers?\b",
        most_words=140,
        hints="subscri|member",
    ),
    with_text(
        "paywall-abroad",
        "generic",
        Kind.PAYWALL,
        r"(?:r[ée]serv[ée]e?s? (?:à|aux) (?:nos )?abonn[ée]s|il vous reste "
        r"\d+ ?% |nur f[üu]r (?:abonnenten|mitglieder)|"
        r"jetzt (?:abonnieren und )?weiterlesen|weiterlesen mit (?:\S+ )?(?:abo|"
        r"plus|\S+\+)|(?:exclusivo|solo|s[óo]lo) para (?:suscriptores|socios|"
        r"assinantes)|"
        r"conte[úu]do exclusivo para assinantes|riservato agli abbonati|alleen "
        r"voor abonnees|tylko dla (?:prenumerator|subskrybent)|"
        r"только для подписчиков|有料会員|会員限定|구독자 전용|订阅.{0,6}(?:阅读|全文))",
        most_words=200,
        hints="abonn|abbonat|nur für|nur fuer|jetzt|weiterlesen|il vous reste|exclusivo|"
        "solo |sólo |tylko|для подписчиков|有料会員|会員限定|구독자|订阅",
    ),
)
SIGNS = (*GEO, *PAYWALL, *CONSENT, *wall_abroad.SIGNS)


def find_wall(page: FetchedPage) -> Verdict | None:
    if page.status == 451:  # RFC 7725
        return Verdict(Kind.GEO, Reason.AUTHORIZATION_REVIEW, ("status 451",))
    return find_verdict(page, SIGNS)
