"""Composition root: which components run, in which order, and why each number is what it is.

Everything here may be overridden with ``-s NAME=VALUE``, as a Scrapyd job setting or in a site
file, where the README says so.
"""

import os

BOT_NAME = "crawler"
USER_AGENT = "crawler (+https://www.rfc-editor.org/rfc/rfc9309)"
SPIDER_MODULES: list[str] = []
SPIDER_LOADER_CLASS = "crawler.engine.spiderloader.SiteSpiderLoader"
COMMANDS_MODULE = "crawler.commands"

SITES_DIR = ""
DATA_DIR = "var"
LEDGER_URL = ""
# Where the files of named sessions lie: credentials come from the environment, never from here.
SESSIONS_DIR = os.environ.get("SESSIONS_DIR", "")
LEDGER_WAIT = 5.0
LEASE_SECONDS = 60.0

PAGE_WORKERS = 0
PAGE_TIMEOUT = 10.0
PAGE_MEMORY = 2**30
MODEL_CONCURRENCY = 4

CHROMIUM_PATH = ""
# Pages open in the browser at once. On two cores, eight bring no more than four.
RENDERED_PAGES = 4

DOWNLOAD_DELAY = 0.25
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 4
DEFERRAL_MAX_WAIT = 60.0
DEFERRAL_MAX_RETRY_AFTER = 86_400.0
BREAKER_REFUSALS = 10
BREAKER_COOL_DOWN = 900.0
# Seconds for transfers to end by themselves once a run is being stopped.
SHUTDOWN_WAIT = 5.0
ROBOTSTXT_OBEY = True
ROBOTS_MAX_CRAWL_DELAY = 30.0

SCHEDULER = "crawler.engine.scheduler.FrontierScheduler"
DOWNLOADER = "crawler.engine.downloader.ScopedDownloader"
DOWNLOAD_HANDLERS = {
    "http": "crawler.engine.handler.GuardedDownloadHandler",
    "https": "crawler.engine.handler.GuardedDownloadHandler",
    # Scrapy serves these to any request that names them; a page must not be able to.
    "file": None,
    "data": None,
    "ftp": None,
    "s3": None,
}
DOWNLOAD_VERIFY_CERTIFICATES = True
# Who waits longer before going on has shown a page: one that reloads itself is no redirect.
METAREFRESH_MAXDELAY = 15
# What did arrive of a cut body is kept as a diagnostic; the verdict calls it truncated.
DOWNLOAD_FAIL_ON_DATALOSS = False
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

# Scrapy starts this many tasks for every response; a page yields one snapshot.
CONCURRENT_ITEMS = 1
# Bodies wait in memory only until their group is committed.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 30_000_000
ASYNCIO_EVENT_LOOP = "uvloop.Loop"
LOG_LEVEL = "INFO"
STATS_CLASS = "crawler.engine.stats.PlainStatsCollector"
LOG_FORMATTER = "crawler.engine.logformat.LedgerLogFormatter"

EXTENSIONS = {
    # First, since it opens ledger and archive for everything else and closes them last.
    "crawler.engine.run.Run": -1000,
    # Replaced: a line in a feed is an accepted record, not a page.
    "scrapy.extensions.feedexport.FeedExporter": None,
    "crawler.engine.feed.RecordFeedExporter": 0,
    # Replaced: it counts pages as items, and says some lines a dozen times.
    "scrapy.extensions.logstats.LogStats": None,
    "crawler.engine.progress.ProgressLog": 0,
}

# Scrapy's own write in place: an interrupted crawl leaves a part, a second JSON array or table
# behind the first is neither, and a cell may be a formula.
FEED_STORAGES = {
    "": "crawler.engine.feed.WholeFileStorage",
    "file": "crawler.engine.feed.WholeFileStorage",
}
FEED_EXPORTERS = {"csv": "crawler.engine.feed.NeutralCsvExporter"}

DOWNLOADER_MIDDLEWARES = {
    # Requests pass in ascending order, responses in descending order.
    "crawler.middlewares.admission.AdmissionMiddleware": 50,
    "crawler.middlewares.robots.RobotsMiddleware": 60,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,  # admission is exact
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,  # fails open on errors
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,  # knows no Retry-After, no budget
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,  # would obey environment
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,  # no secrets in settings
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": None,  # the budget's
    # What these two add is added when a request is built: see engine.requests.default_headers.
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": None,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "crawler.middlewares.redirect.MetaRefreshMiddleware": 580,
    # Where scripts went is known before what a meta element might still do.
    "crawler.middlewares.redirect.ScriptedRedirectMiddleware": 581,
    # Below the three of ours, so that a hop is archived and judged before it is followed.
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "crawler.middlewares.redirect.RedirectMiddleware": 582,
    # Deferral and challenge see a response before anything could retry or follow it: at 540 a
    # 503 challenge was fetched three times, at 560 one with a meta refresh was followed.
    "crawler.middlewares.challenge.ChallengeMiddleware": 584,
    "crawler.middlewares.deferral.DeferralMiddleware": 585,
    # Nearest to the wire: what a server's slowness says is not mixed with our own work.
    "crawler.middlewares.pace.PaceMiddleware": 595,
    # Right after decoding: everything below works on the decoded body.
    "crawler.middlewares.observation.ObservationMiddleware": 588,
    # Between decoding and observation: a browser is shown what was received, decoded, and what
    # it makes of it is observed, judged and archived like any response.
    "crawler.middlewares.rendering.RenderingMiddleware": 589,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "crawler.middlewares.decoding.DecodingMiddleware": 590,
    # Right before the cookies: what waits above may wait for long.
    "crawler.middlewares.session.SessionMiddleware": 690,
    # Replaced in its place: the first cookie would download a list of domains.
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "crawler.middlewares.cookies.CookiesMiddleware": 700,
    # In the place of the wire, below the cookies that a rendered page is shown with.
    "crawler.middlewares.retained.RetainedMiddleware": 710,
    # Replaced in its place: it writes every request out to take its length.
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    "crawler.middlewares.traffic.TrafficMiddleware": 850,
}

SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,  # seeds come from the frontier
    # A request that a callback yields is new work and must not carry its page's row.
    "crawler.middlewares.row.RowMiddleware": 100,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,  # the verdict decides
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,  # no page learns of another
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,  # admission bounds URLs
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,  # RowMiddleware acts
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,  # depth is a column of the row
}

ITEM_PIPELINES = {
    "crawler.pipelines.extraction.ExtractionPipeline": 100,
    "crawler.pipelines.validation.ValidationPipeline": 200,
    "crawler.pipelines.archival.ArchivalPipeline": 300,
}
