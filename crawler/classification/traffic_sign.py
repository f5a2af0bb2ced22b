"""What refusals say of the traffic that they refuse, in few words, as a table.

Each row speaks of short pages only: what a page of sixty words says is what it is there for.
"""

from crawler.classification.signature import with_text
from crawler.contracts.outcome import Kind

_C, _P, _B = Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK
FEW = 60
MORE = 90

_STOPPED = (
    r"(?:blocked|banned|black-?listed|block-?listed|suspended|locked|denied|disabled|restricted|"
    r"refused|rejected|not (?:allowed|permitted|accepted)|forbidden|limited|flagged|"
    r"(?:logged|recorded)(?! in)|(?:on|in) (?:our|a|the) (?:\w+ )?(?:block|black|ban)[- ]?list)"
)
_OF_YOU = (
    r"\byour (?:ip|browser|visit|request|computer|network|connection|subnet|provider|address|access|"
    r"client|user[- ]agent)\b|\byou (?:have been|were|look|seem)\b|\bvisitor!|"
    r"\bif you(?:'re| are) (?:a )?human|\bunblock me\b|\bthis site does not\b|"
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b"
)
_OF_HARM = (
    r"\b(?:(?:ro)?bots?|automated|crawlers?|scrapers?|spam(?:mers?|ming)?|attacks?|malicious|malware|"
    r"infected|prox(?:y|ies)|vpn|firewall|defen[cs]e|suspicious|abuse|ddos|anti-?bot|wget|curl|"
    r"authori[sz]ed networks?|faster than a human|not a real one|request volume|protection|your provider|"
    r"programs such as|page loads|robots?)\b"
)
_OF_REFUSAL = (
    r"\b(?:blocked|banned|denied|refused|rejected|stopped|forbidden|not (?:allow\w*|permitted|accept|"
    r"welcome|possible|pass|available)|does not (?:allow|accept|belong)|could(?:n't| not) let|limited to|"
    r"visit was logged|unblock\w*|has triggered|restore your access|whitelist\w*|cannot be displayed)\b"
)
_OF_THIS_PAGE = (
    r"\b(?:this (?:web)?(?:site|page|server)|requested page|webmaster|administrator|reload|contact|"
    r"e-?mail us|reference|rule id|javascript|cookies|human|automatically|try another browser|"
    r"restore your access|your ip)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b"
)
"""None says much by itself; a short page in which all four come together turns its reader away."""
SIGNS = (
    with_text(
        "place-refused",
        "generic",
        Kind.GEO,
        r"\byour (?:country|region|ip location|location) (?:is|has been|was) (?:\w+ )?(?:not (?:allowed|"
        r"permitted|supported)|blocked|banned|restricted)|not (?:allowed|permitted) to (?:access|view|"
        r"visit) [^.]{0,40}from your (?:current )?(?:country|region|location)",
        most_words=FEW,
        hints="your country|your region|location",
    ),
    with_text(
        "address-words",
        "generic",
        _B,
        rf"\b(?:(?:your|this) (?:current |client )?(?:ip|ip[- ]address|ip range|host|network|"
        rf"user[- ]agent|connection)|the ip(?: address)?)\b[^.]{{0,40}}\b{_STOPPED}",
        most_words=FEW,
        hints="ip|host|network|user agent|user-agent|connection",
    ),
    with_text(
        "access-words",
        "generic",
        _B,
        r"\b(?:your access|access from [^.]{3,40}|traffic from [^.]{3,30}) (?:to [\w. ]{1,30} )?"
        rf"(?:(?:has|have) been|is|are|was) (?:temporarily |currently )?{_STOPPED}",
        r"\b(?:you|your|ip|hosting|cloud|data ?cent|contact|administrator|vpn|abuse|residential)",
        most_words=FEW,
        hints="access|traffic",
    ),
    with_text(
        "agent-words",
        "generic",
        _B,
        r"(?:invalid|bad|unknown|missing|unauthori[sz]ed|empty|forbidden)\W+(?:user[- ]agent|bot)\b|"
        r"user[- ]agent (?:(?:is|was|has been) )?(?:not allowed|blocked|denied|forbidden|rejected)",
        most_words=FEW,
        hints="agent|bot",
    ),
    with_text(
        "accused-words",
        "generic",
        _B,
        r"are you a (?:ro)?bot\?[^.]*\.?[^.]*human|"
        r"(?:bad|malicious) bot (?:detected|blocked)|you (?:do|does|did) not appear to be human|"
        r"(?:you|your traffic|this request|your request)[^.]{0,40}\b(?:is|are|be|as|like|from)\b[^.]"
        r"{0,20}\b(?:a (?:ro)?bots?\b|automated|automation)|"
        r"you (?:are|seem to be|appear to be)? ?(?:using )(?:an )?automat(?:ed|ion) (?:tools?|"
        r"software|scripts?|means)|(?:stop|please do not) (?:crawling|scraping) (?:our|this)",
        most_words=FEW,
        hints="bot|human|automat|crawling|scraping",
    ),
    with_text(
        "attack-words",
        "generic",
        _B,
        r"\b(?:attack|malicious request|sql injection(?: attempt)?|intrusion(?: attempt)?|"
        r"unauthori[sz]ed activity|hack(?:ing)? attempt)s? (?:was |has been |were )?(?:detected|"
        r"stopped|blocked|prevented)|security (?:policy )?violation|anti-?bot (?:alert|system)|"
        r"(?:triggered|violate[sd]?|tripped) (?:our|a|an|the) (?:\w+ )?(?:security|firewall|anti-?bot)",
        r"\b(?:your|you|ip|denied|blocked|request|webmaster|administrator|firewall|contact)\b",
        most_words=FEW,
        hints="attack|malicious|injection|intrusion|unauthori|hack|violat|anti|trigger|tripped",
    ),
    with_text(
        "stopped-by-words",
        "generic",
        _B,
        r"(?:blocked|denied|stopped|refused|rejected|dropped) by (?:\w+ ){0,4}?(?:firewall|security|"
        r"waf|(?:network |system )?administrator|rate[- ]limit\w*|(?:web )?server|policy|filter)\b",
        r"\b(?:request|access|page|connection|ip|your|you|bot|error|firewall|policy)\b",
        most_words=FEW,
        hints="by ",
    ),
    with_text(
        "amount-words",
        "generic",
        _B,
        r"\brate[- ]limited\b|(?:too many|large number of|excessive|unusual (?:number|amount) of|"
        r"high (?:number|volume|rate) of) (?:\w+ )?(?:requests|connections|queries|page views|hits)|"
        r"(?:request|page view|query|rate|quota|download)s? ?(?:limit )?(?:(?:has|have) been |was |is )?"
        r"(?:reached|exceeded)|max(?:imum)? (?:number of )?(?:requests|queries)[^.]{0,30}reached|"
        r"exceeded the (?:number|amount) of",
        r"\b(?:you|your|ip|429|please|try again|slow down|later|access)\b",
        most_words=FEW,
        hints="rate|many|number|excessive|limit|exceeded|reached|high",
    ),
    with_text(
        "locked-out-words",
        "generic",
        _B,
        r"you have been (?:\w+ )?locked out|site access has been (?:\w+ )?locked|"
        r"bulletproof security|\bsecupress\b|access denied from your ip",
        most_words=MORE,
        hints="locked|bulletproof|secupress|your ip",
    ),
    with_text(
        "hosting-words",
        "generic",
        _B,
        r"(?:hosting|cloud|data ?cent(?:er|re)s?|\baws\b|vpn|proxy|proxies)\b[^.]{0,40}"
        r"(?:blocked|not (?:permitted|allowed|supported|accepted)|denied|restricted|banned)|"
        r"(?:blocked|restricted|denied) access from (?:hosting|cloud|data|vpn|prox)|"
        r"(?:you are|you're) using (?:a |an )?(?:vpn|proxy|anonymizer)",
        r"\b(?:your?|access|traffic|ip|website|owner|please)\b",
        most_words=FEW,
        hints="hosting|cloud|data|aws|vpn|prox",
    ),
    with_text(
        "task-words",
        "generic",
        _P,
        r"solve (?:this|the) (?:simple |following |short )?(?:math\w*|equation|sum|problem(?=:| to | below))|"
        r"type the (?:text|characters|letters|words|numbers|code) (?:you see|shown|in|from)|"
        r"prove (?:your humanity|that you(?:'re| are) (?:a )?human|you(?:'re| are) (?:a )?human)|"
        r"(?:not|n't) an automated (?:program|script|system|bot)",
        most_words=FEW,
        absent=(b"<textarea",),
        hints="solve|type the|prove|automated",
    ),
    with_text(
        "wait-words",
        "generic",
        _C,
        r"(?:running|performing) a (?:\w+ )?check to (?:protect|make sure)|"
        r"browser is being (?:checked|verified)|verifying your (?:request|identity|browser|connection|"
        r"visit|access)|checking your (?:visit|request|access|identity)|challenge page was accidentally "
        r"cached|after a (?:short |quick )?security check|being checked for security",
        most_words=FEW,
        hints="verif|check|cached",
    ),
    with_text(
        "cues-together",
        "generic",
        _B,
        _OF_YOU,
        _OF_HARM,
        _OF_REFUSAL,
        _OF_THIS_PAGE,
        most_words=MORE,
    ),
)
