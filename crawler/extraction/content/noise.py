"""What stands around the content of every page of a site: found by its name, and left out."""

import re
from functools import lru_cache

from crawler.extraction.content.kind import PageType
from crawler.extraction.content.node import Attributes, Element, Node
from crawler.extraction.content.visible import NEVER_SHOWN, blends_in, is_folded, is_hidden

_NAMING = frozenset(
    {"id", "class", "role", "aria-label", "data-testid", "data-component", "data-module"}
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_APART = re.compile(r"[^a-z0-9\s]+")


def label_of(attributes: Attributes) -> str:
    """Return the words of an element's names, lower case, one space apart and around."""
    named = [value for name, value in attributes.items() if name in _NAMING]
    return _words(" ".join(named)[:400]) if named else ""


@lru_cache(maxsize=16384)
def _words(names: str) -> str:
    tokens = _APART.sub("-", _CAMEL.sub("-", names).lower()).split()
    return " " + " ".join([token.strip("-") for token in tokens]) + " "


def _any(words: str) -> re.Pattern[str]:
    """Return what finds one of the *words* in a label; with ``^`` only at a name's beginning."""
    anywhere = [word for word in words.split() if not word.startswith("^")]
    leading = [word[1:] for word in words.split() if word.startswith("^")]
    found = f"[ -](?:{'|'.join(anywhere)})(?=[ -])" if anywhere else "(?!)"
    first = f"| (?:{'|'.join(leading)})(?=[ -])" if leading else ""
    return re.compile((found + first).replace("_", "-"))


ALWAYS = _any(
    "cookies? cookiebot cookiebanner cookieconsent ^consent gdpr ccpa onetrust ot_sdk truste"
    " ^nav navbar navigation navigations subnav sitenav topnav main_nav site_nav ^menu submenu"
    " megamenu mega_menu menubar main_menu nav_menu"
    " breadcrumbs? breadcrumb\\w+ crumbs ^pagination paginator ^pager page_numbers wp_pagenavi"
    " site_footer page_footer global_footer footer_wrap(?:per)? footer_(?:bottom|container|inner"
    "|links?|nav|menu|widgets?|main|top)"
    " ^footer\\d? colophon"
    " site_header global_header ^masthead topbar top_bar header_top"
    " ^socials? social\\w+ social_share social_links ^shares? ^sharing sharebar share_\\w+"
    " addthis\\w* addtoany sharedaddy a2a follow_us followus"
    " newsletter\\w* ^subscribe ^subscription mailing_list mailchimp ^signup ^sign_up ^optin"
    " advert\\w* adsense ^ad ^ads adslot ad_slot adunit ad_unit adbox ad_container ad_wrapper"
    " ^dfp gpt_ad ^sponsor ^sponsored outbrain taboola zergnet revcontent"
    " ^modal ^popup ^pop_up ^popover ^overlay ^lightbox ^tooltip ^toast snackbar offcanvas"
    " ^drawer ^login ^log_in ^sign_in ^signin"
    " skip_link skip_links skip_to_content back_to_top backtotop scroll_top totop"
    " print_only printonly noprint search_form searchform searchbox search_box"
    " interlanguage\\w* p_lang ^languages catlinks mw_jump_link language_switcher lang_switcher"
    " language_selector locale_switcher"
    " ticker alertdialog contentinfo complementary rollover_block"
)
HEADER = _any(
    "^header page_header announcement_\\w+ promo_bar promobar sidemenu side_menu left_menu"
    " mobile_menu"
)
OVERLAYS = _any(
    "cookies? cookiebot cookieconsent ^consent gdpr ccpa onetrust truste dialog alertdialog"
    " ^modal ^popup ^pop_up ^popover ^overlay ^lightbox offcanvas ^drawer"
)
RELATED = _any(
    "^related related_\\w+ recommended ^recommend\\w* recommendations recirc\\w*"
    " read_next more_stories more_news more_articles more_from more_like also_like also_read"
    " also_viewed you_may you_might ^trending most_read most_popular most_viewed popular_posts"
    " ^popular latest_news latest_posts latest_stories recent_posts recent_articles"
    " recently_viewed ^similar cross_sell crosssell upsells? up_sells? ^suggested suggestions"
    " readnext morefrom seealso next_prev prev_next next_post prev_post previous_post"
    " post_navigation nav_links previous_next yarpp jp_relatedposts"
)
ASIDE = _any(
    "(?<!no_)(?<!has_)(?<!with_)(?<!w_)(?<!without_)(?<!main_)sidebar side_bar ^sidebar\\w* ^rail"
    " right_rail rightrail left_rail ^aside ^secondary widget_area widgetarea"
)
COMMENTS = _any(
    "comments comments_area comment_list commentlist comment_respond ^respond disqus\\w*"
    " fb_comments commenting reader_comments livefyre ^replies"
)
POSTED = _any(
    "byline ^by_line author_\\w+ about_author about_the_author authorbox post_author ^bio"
    " contributors? ^tags tag_list taglist post_tags entry_tags article_tags ^topics tag_cloud"
    " tagcloud post_meta entry_meta article_meta ^meta_data ^metadata postmeta entry_footer"
    " post_footer article_footer ^timestamp ^dateline ^published ^pubdate post_date publish_date"
    " ^copyright ^donate ^donation support_us ^membership ^promoted"
)
ARTICLE_ONLY = _any(
    "^caption wp_caption_text image_caption photo_credit ^credits? image_credit"
    " ^gallery ^slideshow ^carousel ^slider video_player videoplayer jwplayer"
    " ^promos? ^promotion promobox callout_box ^cta call_to_action"
    " ^toolbar article_tools ^ratings? ^votes? ^reactions"
    " ^kicker ^eyebrow ^disclaimer ^correction editors_picks"
    " ^toc table_of_contents tableofcontents contents_list"
    " ^pullquote pull_quote"
)
REVIEWS = _any(
    "customer_reviews review_list reviews_list product_reviews ^reviews reviews_section"
    " user_reviews yotpo\\w* okendo bazaarvoice ^bv jdgm\\w* judgeme stamped ^loox"
    " ^review_\\w+ reviews_\\w+ customer_review\\w* powerreviews trustpilot ^cr"
)
MEMBERS = _any(
    "post_signature ^signature user_info user_details user_card userinfo ^userprofile member_stats"
    " message_cell_user post_author ^badge ^badges ^reputation vote_count post_menu post_actions"
    " message_footer message_attribution action_bar post_controls post_layout_left votecell"
    " js_voting_container ^avatar thread_tools topic_stats js_post_comments\\w* comments_list"
    " ^notices?"
)
SELLING = _any(
    "disclaimers? fine_print ^sticky sticky_\\w+ ^shipping shipping_\\w+ ^delivery delivery_\\w+"
    " ^returns? seller_\\w+ ^seller buybox buy_box cart_col"
)
CONTROLS = _any(
    "^filters? ^facets? ^facet_\\w+ ^refinements? ^refine ^sort ^sorting ^sort_by ^sortby"
    " filter_\\w+ filters_\\w+ facets? layered_nav toolbar minicart mini_cart cart_drawer"
    " add_to_cart addtocart quick_view quickview ^quantity qty ^swatch swatches wishlist"
    " size_guide payment_methods trust_badges delivery_info"
    " ^alert(?=\\s) alert_(?:danger|error|info|success|warning)"
)
DOCUMENT_ONLY = _any(
    "^toc table_of_contents tableofcontents on_this_page edit_this_page edit_page ^feedback"
    " ^helpful last_updated page_nav headerlink"
)
CONTENT = _any("(?:article|post|entry|story|blog)_(?:body|content|text) articlebody article_text")
MAIN = 1000
"""Characters of a declared main part beside which no overlay is what a page is about."""
_NEVER_NOISE = frozenset({"html", "body", "main", "article", "noscript"})
_NOISE_TAGS = frozenset({"nav", "footer", "aside", "dialog", "menu"})


def is_shown(element: Element, tag: str, attributes: Attributes, above: str) -> bool:
    if tag in NEVER_SHOWN or (above == "details" and is_folded(element, tag)):
        return False
    if not attributes or tag in {"html", "body"}:
        return True
    return not (is_hidden(attributes) or blends_in(element, tag, attributes))


def settle_noscript(root: Node) -> None:
    """Keep what is for readers without scripts only where it is the page, and the rest a shell."""
    found = [node for node in root.walk() if node.tag == "noscript"]
    inner = sum(node.size for node in found)
    is_page = inner > 500 and inner > 2 * (root.size - inner)
    for node in found:
        if not is_page or node.size < inner / 2:
            node.remove()


def remove_noise(root: Node, kind: PageType | None) -> None:
    """Take the noise of one type of page out of *root*, or with None that of all pages.

    What holds much of the text is content, whatever its name.
    """
    stack = list(root.children)
    while stack:  # from the end on: once the foot of a page is gone, its head weighs more
        node = stack.pop()
        if _is_noise(node, kind) and not _is_needed(node, root):
            node.remove()
        else:
            stack += [part for part in node.parts if isinstance(part, Node) and not part.is_removed]


def _is_needed(node: Node, root: Node) -> bool:
    if RELATED.search(node.label) and node.link_share > 0.3 and node.prose < 0.5 * root.prose + 1:
        return False
    is_prose = node.prose > 0.35 * root.prose and node.size > 0.3 * root.size
    if not is_prose and node.size <= 0.5 * root.size:
        return False
    is_overlay = node.tag == "dialog" or OVERLAYS.search(node.label)
    if is_overlay and _has_main_beside(node, root):
        return False
    is_of_readers = COMMENTS.search(node.label) or REVIEWS.search(node.label)
    return not (is_prose and is_of_readers) or node.prose >= 0.8 * root.prose


def _has_main_beside(node: Node, root: Node) -> bool:
    """Whether the page declares a main part of some size that is not in *node*."""
    return any(
        (each.tag == "main" or each.get("role") == "main")
        and each.size > MAIN
        and not each.is_within(node)
        for each in root.walk()
    )


def _is_noise(node: Node, kind: PageType | None) -> bool:
    tag = node.tag
    if tag in _NEVER_NOISE:
        return False
    if tag in _NOISE_TAGS:
        return True
    if tag == "header":
        return _is_page_header(node)
    if tag == "button":
        return not _is_disclosure(node)
    if not node.label:
        return False
    if _names_noise(node.label, kind):
        return True
    return kind is None and _names_header(node.label) and _is_page_header(node)


@lru_cache(maxsize=16384)
def _names_header(label: str) -> bool:
    return HEADER.search(label) is not None


@lru_cache(maxsize=16384)
def _names_noise(label: str, kind: PageType | None) -> bool:
    if CONTENT.search(label):
        return False
    return any(pattern.search(label) for pattern in PATTERNS[kind])


def _is_page_header(node: Node) -> bool:
    """A page's header holds links; that of an article or section holds its title."""
    if any(each.tag == "h1" for each in node.walk()):
        return False
    return not any(each.tag in {"article", "main", "section"} for each in node.ancestors())


def _is_disclosure(node: Node) -> bool:
    """A button that opens a part of the content bears the title of that part."""
    in_title = any(each.tag in HEADINGS for each in node.ancestors())
    return in_title or ("aria-controls" in node.attributes and node.size > 15)


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"})
PATTERNS: dict[PageType | None, tuple[re.Pattern[str], ...]] = {
    None: (ALWAYS, ASIDE),
    PageType.ARTICLE: (RELATED, COMMENTS, POSTED, ARTICLE_ONLY),
    PageType.DOCUMENTATION: (RELATED, COMMENTS, DOCUMENT_ONLY),
    PageType.SERVICE: (RELATED, POSTED, CONTROLS),
    PageType.FORUM: (RELATED, POSTED, CONTROLS, MEMBERS),
    PageType.COLLECTION: (POSTED, CONTROLS, SELLING),
    PageType.LISTING: (RELATED, COMMENTS, POSTED, CONTROLS),
    PageType.PRODUCT: (RELATED, POSTED, CONTROLS, SELLING, REVIEWS, ARTICLE_ONLY),
}
"""What is noise on a page of any type, and what is besides on one of a type."""
