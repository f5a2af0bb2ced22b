"""The JavaScript that is run in a rendered page: fixed text, given only data as its argument."""

_CHECK = """
const check = (conditions) => {
  const unmet = [];
  const count = (selector) => {
    try { return document.querySelectorAll(selector).length; } catch { return -1; }
  };
  for (const [selector, least] of conditions.count) {
    const found = count(selector);
    if (found < 0) unmet.push(`${selector} is no selector to the browser`);
    else if (found < least)
      unmet.push(least > 1 ? `${selector} matches ${found} of ${least}` : `${selector} matches nothing`);
  }
  for (const selector of conditions.absent)
    if (count(selector)) unmet.push(`${selector} is still there`);
  if (conditions.text.length) {
    const shown = (document.body ? document.body.innerText : "")
      .replace(/\\s+/g, " ").toLowerCase();
    for (const text of conditions.text)
      if (!shown.includes(text.toLowerCase())) unmet.push(`the text ${JSON.stringify(text)} is not shown`);
  }
  if (conditions.marker) {
    let value = window;
    for (const name of conditions.marker.split(".")) value = value == null ? value : value[name];
    if (!value) unmet.push(`${conditions.marker} is not set`);
  }
  return unmet;
};
"""

CONDITIONS = f"(conditions) => {{ {_CHECK} return check(conditions); }}"
"""Conditions → what is not fulfilled, in words."""

WAIT = f"""(conditions) => new Promise((resolve) => {{
  {_CHECK}
  let changed = performance.now();
  let timer = 0;
  const look = () => {{
    const still = performance.now() - changed;
    if ((conditions.loaded && document.readyState !== "complete") || check(conditions).length)
      return;
    if (still < conditions.quiet) {{
      clearTimeout(timer);
      timer = setTimeout(look, conditions.quiet - still + 1);
      return;
    }}
    observer.disconnect();
    clearInterval(beat);
    clearTimeout(timer);
    resolve(true);
  }};
  const observer = new MutationObserver(() => {{ changed = performance.now(); look(); }});
  observer.observe(document, {{
    subtree: true, childList: true, attributes: true, characterData: true,
  }});
  // What no mutation shows: a script variable, a text that a style uncovers.
  const beat = setInterval(look, 100);
  look();
}})"""
"""Conditions → nothing, once all of them are fulfilled at the same time."""

ROUND = f"""(step) => new Promise((resolve) => {{
  {_CHECK}
  const has = (selector) => {{
    try {{ return document.querySelector(selector); }} catch {{ return null; }}
  }};
  const size = () => document.querySelectorAll("*").length;
  const isOver = () =>
    (step.until && has(step.until)) ||
    (step.isBounded && !check(step.conditions).length);
  const before = size();
  let hasActed = false;
  const act = () => {{
    const target = has(step.click || step.scroll);
    if (!target || target.disabled) return;
    hasActed = true;
    if (step.click) target.click();
    else if (target === document.documentElement) window.scrollTo(0, target.scrollHeight);
    else target.scrollTop = target.scrollHeight;
  }};
  const end = (word) => {{
    observer.disconnect();
    clearInterval(beat);
    clearTimeout(limit);
    resolve(word);
  }};
  const look = () => {{
    if (isOver()) return end("over");
    if (!hasActed) act();
    else if (size() !== before) end("grew");
  }};
  const observer = new MutationObserver(look);
  const beat = setInterval(look, 100);
  const limit = setTimeout(() => end(hasActed ? "still" : "gone"), step.patience);
  observer.observe(document, {{ subtree: true, childList: true, attributes: true }});
  look();
}})"""
"""A step → ``over`` (its end is reached), ``grew``, ``still`` (nothing came) or ``gone`` (nothing
to click or scroll)."""

CONTENT = """({most, kept}) => {
  const doctype = document.doctype
    ? new XMLSerializer().serializeToString(document.doctype) + "\\n" : "";
  const text = doctype + (document.documentElement ? document.documentElement.outerHTML : "");
  const isOver = text.length > most;
  return {isOver, text: isOver ? text.slice(0, kept) : text};
}"""
"""The most characters it may have, and how many are kept of more → the document, or its beginning."""

MEASURE = """(selectors) => {
  const root = document.documentElement, body = document.body;
  const most = (name) => Math.max(root ? root[name] : 0, body ? body[name] : 0);
  const boxOf = (selector) => {
    let found = [];
    try { found = document.querySelectorAll(selector); } catch { return [0, 0, 0, 0, 0]; }
    if (!found.length) return [0, 0, 0, 0, 0];
    const box = found[0].getBoundingClientRect();
    return [found.length, box.x + window.scrollX, box.y + window.scrollY, box.width, box.height];
  };
  return {
    width: most("scrollWidth"),
    height: most("scrollHeight"),
    scrollX: window.scrollX,
    scrollY: window.scrollY,
    regions: selectors.map(boxOf),
  };
}"""
"""Selectors → the size of the page, where it is scrolled to, and of each selector the number of its
matches with the box of the first."""

NO_WINDOWS = "window.open = () => null; window.print = () => {};"
"""Run before the page's own scripts. Windows are closed too: this saves opening them."""
