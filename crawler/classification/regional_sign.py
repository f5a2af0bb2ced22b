"""Challenges and blocks of makers at work in one part of the world, as a table."""

from crawler.classification.signature import Sign, with_headline, with_markers, with_text
from crawler.contracts.outcome import Kind

_C, _P, _B = Kind.CHALLENGE, Kind.CAPTCHA, Kind.BLOCK

SIGNS: tuple[Sign, ...] = (
    with_markers("alibaba-captcha", "alibaba", _P, b"x5secdata"),
    with_markers("alibaba-waf", "alibaba", _C, b"acw_sc__v2"),
    with_text("alibaba-block", "alibaba", _B, r"potential threats to the server's security"),
    with_text(
        "alibaba-threat",
        "alibaba",
        _B,
        r"由于您访问的url有可能对网站造成安全威胁",
        hints="由于您访问的url",
    ),
    with_text(
        "yunjiasu-block",
        "baidu",
        _B,
        r"yunjiasu|百度云加速",
        r"block|denied|拦截|安全",
        hints="yunjiasu|百度云加速",
    ),
    with_markers("baidu-captcha", "baidu", _P, b"wappass", most_words=40),
    with_text(
        "safedog-block",
        "safedog",
        _B,
        r"网站防火墙|安全狗|云锁|360网站卫士|创宇盾",
        hints="网站防火墙|安全狗|云锁|360网站卫士|创宇盾",
    ),
    with_markers("yunsuo-gate", "yunsuo", _C, b"security_verify_data"),
    with_text(
        "safeline-block",
        "safeline",
        _B,
        r"雷池|safeline",
        r"拦截|存在威胁|blocked|denied",
        hints="雷池|safeline",
    ),
    with_text(
        "safeline-gate", "safeline", _C, r"雷池|safeline", most_words=60, hints="雷池|safeline"
    ),
    with_markers("tencent-captcha-script", "tencent", _P, b"tcaptcha.js", most_words=60),
    with_text(
        "edgeone-block",
        "tencent",
        _B,
        r"edgeone",
        r"blocked|denied|restricted|拦截",
        hints="edgeone",
    ),
    with_text("huawei-block", "huawei", _B, r"请求疑似攻击行为", hints="请求疑似攻击行为"),
    with_text(
        "zhihu-captcha",
        "zhihu",
        _P,
        r"点击下方验证按钮|系统监测到您的网络环境存在异常",
        hints="验证|网络环境存在异常",
    ),
    with_headline(
        "naver-limited",
        "naver",
        _B,
        r"서비스 이용 제한.*|.*이용이 제한되었습니다",
        most_words=80,
    ),
)
