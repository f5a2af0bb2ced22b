"""Tell an address where nobody has put a site: parked, for sale, expired, or never set up."""

from crawler.classification.signature import with_headline, with_text
from crawler.contracts.outcome import Kind

OK = frozenset({200, 203, 402})

SIGNS = (
    with_headline(
        "default-page",
        "generic",
        Kind.ERROR_PAGE,
        r"welcome to (nginx|openresty|caddy|centos|opensuse)|apache2? .*default page.*|"
        r"iis windows server|(http server )?test page (for (the )?|powered by )"
        r"(apache|nginx|centos).*|default web ?site page|domain default page|"
        r"web server's default page|(default|placeholder) page( for .*)?|"
        r"looks like this domain isn't connected to a website yet",
        statuses=OK,
        most_words=250,
    ),
    with_headline("it-works", "generic", Kind.ERROR_PAGE, r"it works", statuses=OK, most_words=4),
    with_headline(
        "no-site",
        "generic",
        Kind.ERROR_PAGE,
        r"(this |the )?(account|website|site|domain|domain name|hosting)( name)? (has been |is |"
        r"has )?(suspended|expired|parked|disabled|deactivated|not configured|not published)|"
        r"expired domain|(sorry, )?this (shop|store) is (currently )?(unavailable|closed)|"
        r"site not found",
        statuses=OK,
        most_words=250,
    ),
    with_headline(
        "for-sale",
        "generic",
        Kind.ERROR_PAGE,
        r"(this |the |your )?(premium )?domain( name)?( \S+)? (is |may be |might be )?"
        r"(available )?(for sale|for purchase)!?|\S+\.[a-z]{2,12} (is|may be) for sale!?|"
        r"this (website|domain) is for sale!?|buy this domain( name)?|domain for sale",
        statuses=OK,
        most_words=160,
    ),
    with_text(
        "parked-domain",
        "generic",
        Kind.ERROR_PAGE,
        r"domain(?: name)? (?:\S+ )?(?:is|may be|might be|could be) (?:\w+ )?(?:parked|for sale|"
        r"available for (?:purchase|sale))|domain (?:has|name has) (?:just )?expired|"
        r"(?:parked|registered) (?:free|at|by|with|domain)[^.]{0,40}(?:godaddy|namecheap|sedo|"
        r"bodis|parkingcrew|ionos|strato|ovh|gandi|dynadot|porkbun)|sedo domain parking|"
        r"domain was recently registered|diese domain (?:steht|ist)[^.]{0,30}(?:verkauf|geparkt)|"
        r"ce (?:nom de )?domaine est (?:à vendre|en vente|parqué)|"
        r"este dominio est[áa] (?:en venta|aparcado|estacionado)",
        statuses=OK,
        most_words=80,
        hints="domain|dominio|godaddy|namecheap|sedo",
    ),
)
