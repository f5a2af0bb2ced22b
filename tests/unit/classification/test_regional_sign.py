# ruff: noqa: RUF001 - the punctuation of other scripts is meant

import pytest

from crawler.classification.challenge import find_challenge
from crawler.classification.page import FetchedPage
from crawler.classification.regional_sign import SIGNS
from crawler.classification.signature import Sign, find_sign
from tests.unit.classification.builders import ARTICLE, make_page, titled

CASES: dict[str, FetchedPage] = {
    "alibaba-captcha": make_page("<script>var x5secdata='1'</script>"),
    "alibaba-waf": make_page("<script>document.cookie='acw_sc__v2='+x</script>"),
    "alibaba-block": make_page(
        "Sorry, your request has been blocked as it may cause potential threats to the "
        "server's security.",
        405,
    ),
    "yunjiasu-block": make_page("<p>百度云加速 拦截了您的访问", 403),
    "safedog-block": make_page("<title>网站防火墙</title><p>您的请求带有不合法参数"),
    "alibaba-threat": make_page(
        "<p>由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。", 405
    ),
    "baidu-captcha": make_page("<p>网络不给力</p><script src=//wappass.baidu.com/a.js></script>"),
    "yunsuo-gate": make_page("<script>location='/?security_verify_data='+x</script>"),
    "safeline-block": make_page("<p>请求存在威胁，已被拦截 雷池 WAF", 403),
    "safeline-gate": make_page("<p>正在进行人机识别 安全检测能力由雷池驱动", 468),
    "tencent-captcha-script": make_page("<script src=//captcha.qcloud.com/TCaptcha.js></script>"),
    "edgeone-block": make_page("<p>The request has been blocked. EdgeOne", 403),
    "huawei-block": make_page("<h1>您的请求疑似攻击行为！", 418),
    "zhihu-captcha": make_page(
        "<p>系统监测到您的网络环境存在异常，请点击下方验证按钮进行验证。", 403
    ),
    "naver-limited": make_page(titled("서비스 이용 제한")),
}
ORDINARY: dict[str, FetchedPage] = {
    "review": make_page(titled("SafeLine review", f"<p>雷池 WAF 开源</p>{ARTICLE}")),
    "supplier": make_page(titled("EdgeOne price list", "<p>Plans for a site of any size</p>")),
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
