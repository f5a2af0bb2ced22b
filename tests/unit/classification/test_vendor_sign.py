"""One page for each row: the mark that its maker leaves, in the shape it is served in."""

import pytest

from crawler.classification.challenge import find_challenge
from crawler.classification.page import FetchedPage
from crawler.classification.signature import Sign, find_sign
from crawler.classification.vendor_sign import SIGNS
from tests.unit.classification.builders import ARTICLE, make_page, titled

DD = "<p>Please enable JS and disable any ad blocker</p><script>var dd={'rt':'%s'}</script>"
CASES: dict[str, FetchedPage] = {
    "cloudflare-country": make_page(
        titled("Access denied", "has banned the country or region your IP address is in (XX)"), 403
    ),
    "additional-verification": make_page(titled("Additional Verification Required"), 403),
    "human-json": make_page(
        '{"appId":"PX1","blockScript":"/1/captcha/captcha.js"}', 403, content_type="application/json"
    ),
    "aws-waf-challenge": make_page("<script src=https://1.edge.sdk.awswaf.com/1/challenge.js>"),
    "stackpath-script": make_page("<script src=/sbbi/?sbbpg=sbbShell></script>"),
    "reblaze-seed": make_page("<script>window.rbzns={seed:1}</script>", 247),
    "front-door-block": make_page(titled("The request is blocked."), 403),
    "anubis-denied": make_page(
        titled("Oh noes!", "<img src=/.within.website/x/cmd/anubis/static/img/reject.webp>")
    ),
    "anubis-page": make_page(
        titled("Kein Bot?", "<img src=/.within.website/x/cmd/anubis/static/img/pensive.webp>")
    ),
    "waiting-room": make_page(titled("Shop", "<p>You are now in line.</p>")),
    "bunkerweb-gate": make_page(titled("Bot Detection", "<p>Protected by BunkerWeb</p>")),
    "cloudflare-mitigated": make_page(cf_mitigated="challenge"),
    "aws-waf-captcha": make_page(status=405, x_amzn_waf_action="captcha"),
    "aws-waf-action": make_page(status=202, x_amzn_waf_action="CHALLENGE"),
    "vercel-denied": make_page(status=403, x_vercel_mitigated="deny"),
    "vercel-mitigated": make_page(status=403, x_vercel_mitigated="challenge"),
    "cloudflare-captcha": make_page(
        titled("Attention Required! | Cloudflare", "<h2>Why do I have to complete a CAPTCHA?</h2>"),
        403,
    ),
    "cloudflare-norobot": make_page("<div id=cf-norobot-container></div>", 503),
    "cloudflare-turnstile-gate": make_page(
        "<div id=challenge-error-text>Enable JavaScript</div><script src=/cdn-cgi/x></script>", 403
    ),
    "just-a-moment": make_page(titled("Один момент…"), 503),
    "cloudflare-options": make_page("<script>window._cf_chl_opt={cvId:'3'}</script>"),
    "cloudflare-form": make_page("<form id=challenge-form><input name=jschl_vc></form>", 503),
    "cloudflare-spinner": make_page("<div class=cf-browser-verification></div>", 503),
    "cloudflare-bot-fight": make_page("<script src='/cdn-cgi/bm/cv/669835187/api.js'></script>"),
    "cloudflare-jsch": make_page(
        "<script src='/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1'></script>", 503
    ),
    "cloudflare-limited": make_page("<h1>Error 1015</h1><p>Ray ID: 82f0</p>"),
    "attention-required": make_page(titled("Attention Required! | Cloudflare"), 403),
    "cloudflare-restricted": make_page(
        titled("Access denied | example.com used Cloudflare to restrict access"), 403
    ),
    "cloudflare-block": make_page("<div id=cf-error-details>You are blocked</div>", 403),
    "cloudflare-code": make_page("<i class=cf-error-code>1020</i><p>Access denied", 403),
    "datadome-check": make_page(DD % "i" + "<script src=//ct.captcha-delivery.com/x.js>", 403),
    "datadome-script": make_page(DD % "c" + "<script src=//ct.captcha-delivery.com/c.js>"),
    "datadome-interstitial": make_page("<script src=//ct.captcha-delivery.com/i.js>", 403),
    "datadome-frame": make_page("<iframe src=//geo.captcha-delivery.com/captcha/?x=1>", 403),
    "datadome-refusal": make_page("<script>dd={}</script><img src=//captcha-delivery.com/1>", 403),
    "datadome-notice": make_page("<p>Please enable JS and disable any ad blocker", 403),
    "akamai-json": make_page('{"sec-cp-challenge": "true"}', 428, content_type="application/json"),
    "akamai-sec": make_page("<div id=sec-if-cpt-container></div>"),
    "akamai-behaviour": make_page("<div id=sec-bc-tile-container></div>"),
    "akamai-verify": make_page("<script>x='bm-verify=A'</script>"),
    "akamai-crypto": make_page("<script src=/_sec/cp_challenge/ak.js></script>", 428),
    "akamai-reference": make_page("<h1>Access Denied</h1>https://errors.edgesuite.net/1.2", 403),
    "akamai-denied": make_page(
        "You don't have permission to access this page. Reference&#32;&#35;18", 403
    ),
    "akamai-number": make_page(
        "The site is currently unavailable. Incident Number: 18.904c3917.1563828035.33814406"
    ),
    "imperva-incident": make_page("Request unsuccessful. Incapsula incident ID: 1-2"),
    "imperva-frame": make_page('<iframe id="main-iframe" src="/_Incapsula_Resource?x=1">'),
    "imperva-script": make_page("<script src='/_Incapsula_Resource?SWJIYLWA=1'></script>"),
    "imperva-interstitial": make_page("<script>reese84</script><script src=/_Imperva/x></script>"),
    "pardon-interruption": make_page(titled("Pardon Our Interruption...")),
    "imperva-notice": make_page("<p>Error 15. Powered by Imperva</p>", 403),
    "distil-notice": make_page("<p>Something about your browser made us think you were a bot"),
    "distil-script": make_page("<form action=/distil_r_captcha.html>", 405),
    "distil-identify": make_page("<script>distil_identify_cookie</script>"),
    "human-press": make_page("<div id=px-captcha></div>", 403),
    "human-cdn": make_page("<script src=//captcha.px-cdn.net/PX1/captcha.js></script>", 403),
    "human-block": make_page("<script>window._pxAppId='PX1'</script>/captcha.js", 403),
    "human-hold": make_page("<p>Press & Hold to confirm you are a human (and not a bot).", 403),
    "human-contact": make_page("<p>Contact us at challengehelp@humansecurity.com"),
    "access-page-denied": make_page(titled("Access to this page has been denied."), 403),
    "aws-waf-script": make_page("<script>window.awsWafCookieDomainList=[]</script>", 202),
    "aws-waf-token": make_page("<script>AwsWafIntegration.getToken()</script>", 202),
    "aws-waf-host": make_page("<script src=//a.b.captcha.awswaf.com/captcha.js>", 405),
    "cloudfront-blocked": make_page(
        "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2>"
        "Generated by cloudfront (CloudFront)",
        403,
    ),
    "kasada-script": make_page("<script>window.KPSDK={}</script>", 429),
    "kasada-loader": make_page("<script src='/149e9513/ips.js?x'></script>kpsdk", 429),
    "f5-rejected": make_page("The requested URL was rejected. Your support ID is: 1"),
    "f5-text": make_page("The requested URL was rejected. Please consult your administrator."),
    "request-rejected": make_page(titled("Request Rejected")),
    "f5-script": make_page("<script src='/TSPD/1'></script><script>window.bobcmn='1'</script>"),
    "f5-loader": make_page("<script src='/TSPD/08f?type=7'></script>"),
    "shape-loader": make_page(
        "<noscript>Please enable JavaScript to view the page content.<br/>"
        "Your support ID is: 1</noscript>"
    ),
    "shape-sensor": make_page("<script>window['istlWasHere']=1</script>"),
    "sucuri-script": make_page("<script>sucuri_cloudproxy_js=''</script>"),
    "sucuri-block": make_page("Sucuri WebSite Firewall - Access Denied", 403),
    "ddos-guard-script": make_page("<script src='/.well-known/ddos-guard/js-challenge/'>", 403),
    "ddos-guard-title": make_page(titled("DDoS-Guard")),
    "ddos-guard-text": make_page("DDOS-GUARD", 403),
    "radware-captcha": make_page("<script src=//captcha.perfdrive.com/captcha-public/x.js>"),
    "radware-validate": make_page("<form action=https://validate.perfdrive.com/1>"),
    "radware-title": make_page(titled("Radware Captcha Page")),
    "radware-shieldsquare": make_page("<div id=ShieldSquare>Solve the captcha</div>"),
    "stackpath-notice": make_page("<footer>Security services provided by StackPath"),
    "security-checkpoint": make_page(titled("Vercel Security Checkpoint"), 403),
    "fastly-challenge": make_page("<link href='/_fs-ch-1T1wmsGaOgGaSxcX/assets/styles.css'>"),
    "reblaze-script": make_page("<script>window.rbzns={challenge:1}</script>"),
    "reblaze-notice": make_page("<p>Protected by Reblaze</p>"),
    "qrator-script": make_page("<script src=/__qrator/qauth_utm_v2.js></script>", 401),
    "qrator-notice": make_page("<h1>403 Forbidden</h1>qrator", 403),
    "stormwall-script": make_page("<script src=//static.stormwall.pro/challenge.js>", 503),
    "variti-script": make_page("<img src=/captcha?variti=1>", 403),
    "siteground-captcha": make_page(
        "<meta http-equiv=refresh content='0;/.well-known/sgcaptcha/?r=%2F'>", 202
    ),
    "front-door": make_page("<h2>Our services aren't available right now</h2>Azure ref: 0x"),
    "azure-waf-challenge": make_page("<h1>Azure WAF</h1><script>challenge()</script>", 403),
    "barracuda-block": make_page("<p>Blocked by the Barracuda Web Application Firewall", 403),
    "fortinet-block": make_page("<p>Web Page Blocked! Attack ID: 20000051", 403),
    "citrix-block": make_page("<p>NetScaler AppFirewall: violation of policy", 403),
    "wallarm-block": make_page("<p>The request is blocked. Wallarm", 403),
    "modsecurity-text": make_page("This error was generated by Mod_Security.", 406),
    "modsecurity-block": make_page("<!-- mod_security --><h1>Not Acceptable!</h1>", 406),
    "anubis-title": make_page(titled("Making sure you're not a bot!")),
    "anubis-script": make_page('<script id="anubis_challenge" type="application/json">{}</script>'),
    "go-away": make_page("<script src='/.well-known/.git.gammaspectra.live/git/go-away/x'>"),
    "queue-it": make_page("<p>You are in line: waiting</p><script src=//x.queue-it.net/q.js>"),
}  # fmt: skip
ORDINARY: dict[str, FetchedPage] = {
    "article that quotes vendors": make_page(
        titled("Makers", ARTICLE + "window._cf_chl_opt captcha-delivery.com/c.js px-captcha")
    ),
    "Cloudflare's script on an ordinary page": make_page(
        "<p>Hi</p><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    ),
    "Cloudflare's hidden address": make_page("<p>Mail: <a class=__cf_email__>[protected]</a></p>"),
    "Imperva's script on an ordinary page": make_page(
        "<p>Hi</p><iframe src=https://maps.example/></iframe><script src=/_Incapsula_Resource?x>"
    ),
    "DataDome's tag on an ordinary page": make_page("<script src=https://js.datadome.co/tags.js>"),
    "HUMAN's sensor on an ordinary page": make_page("<p>Hi</p><script>_pxAppId='PX1'</script>"),
    "F5's cookie script on an ordinary page": make_page(
        f"<script>bobcmn=1</script><p>{'word ' * 60}</p>"
    ),
    "AWS' integration on an ordinary page": make_page(
        f"<script src=//x.captcha.awswaf.com/jsapi.js></script><p>{'word ' * 80}</p>"
    ),
    "a header that all pages of a site have": make_page(
        server="cloudflare", cf_ray="1", x_datadome="protected", x_cdn="Imperva"
    ),
    "note about CloudFront": make_page("<p>CloudFront: the request could not be satisfied.</p>"),
    "note about a waiting room": make_page("<h1>Waiting room</h1><p>Seats for ten patients.</p>"),
}


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.rule)
def test_each_row_speaks_of_its_page_and_the_table_agrees(sign: Sign) -> None:
    page = CASES[sign.rule]
    assert find_sign(page, (sign,)) is sign
    verdict = find_challenge(page)
    assert verdict is not None
    assert verdict.kind is sign.kind


@pytest.mark.parametrize("page", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_is_no_challenge(page: FetchedPage) -> None:
    assert find_challenge(page) is None
