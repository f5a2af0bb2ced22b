"""The record types that need no file."""

from crawler.sites.builtin_article import ARTICLE
from crawler.sites.builtin_event import EVENT
from crawler.sites.builtin_job_posting import JOB_POSTING
from crawler.sites.builtin_notice import NOTICE
from crawler.sites.builtin_organization import ORGANIZATION
from crawler.sites.builtin_place import PLACE
from crawler.sites.builtin_product import PRODUCT
from crawler.sites.builtin_recipe import RECIPE

BUILT_IN = {
    record_type.name: record_type
    for record_type in (EVENT, PRODUCT, ARTICLE, JOB_POSTING, RECIPE, NOTICE, ORGANIZATION, PLACE)
}
