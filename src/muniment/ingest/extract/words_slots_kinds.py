"""Names that tell what kind a value is: tools, places without a capital, usual services, and names nobody has.

Rule of this file: constants only, in small letters.
"""

# ruff: noqa: E501, SIM905  lists of words read best as text

from __future__ import annotations

from typing import Final

TOOLS: Final = frozenset(
    """slack teams zoom discord kubernetes docker github gitlab bitbucket jira confluence notion trello asana linear figma sketch
    postgres postgresql mysql mariadb mongodb mongo redis kafka rabbitmq sqlite oracle snowflake bigquery databricks elasticsearch
    python java javascript typescript rust go golang ruby kotlin swift scala php perl haskell elixir react vue angular svelte
    django flask rails spring node nodejs deno bun aws azure gcp heroku vercel netlify cloudflare digitalocean terraform ansible
    jenkins circleci linux ubuntu debian fedora windows macos ios android chrome firefox safari edge brave vim emacs vscode
    neovim intellij pycharm outlook gmail excel word powerpoint sheets whatsapp telegram signal messenger instagram facebook
    twitter tiktok linkedin reddit mastodon bluesky threads snapchat duolingo strava spotify netflix evernote obsidian todoist
    dropbox icloud onedrive chatgpt claude gemini copilot llama airtable zapier hubspot salesforce zendesk intercom mailchimp
    stripe paypal quickbooks xero shopify wordpress webflow tableau looker grafana prometheus datadog sentry pagerduty scrum kanban
    agile graphql grpc kubernetes helm nginx git svn mercurial npm yarn pnpm pip poetry conda jupyter pandas numpy pytorch
    tensorflow spark hadoop airflow dbt fivetran iphone ipad pixel galaxy macbook kindle playstation xbox""".split()
)
"""What is used, not lived in, worked at or subscribed to, when nothing else tells."""
PLACES: Final = frozenset(
    """city town village suburb suburbs countryside country coast seaside beach mountains mountain farm ranch island downtown
    uptown abroad overseas house apartment flat condo studio dorm dormitory bungalow cottage cabin loft townhouse trailer van
    houseboat mansion building neighborhood neighbourhood area district county state province region capital outskirts
    hometown campus hostel basement attic desert woods forest hills valley bay peninsula prairie""".split()
)
"""Last words of places that are written small."""
SERVICES: Final = (
    r"netflix|spotify|hulu|disney\+?|amazon|prime|youtube|apple(?: music| tv)?|icloud|dropbox|github|google(?: one)?|adobe|audible"
    r"|xbox|playstation|nintendo|microsoft|office|zoom|slack|notion|duolingo|tinder|linkedin|medium|substack|verizon|t-mobile"
    r"|at&t|vodafone|costco|gym|fitness|yoga|phone|mobile|cell|data|internet|broadband|cable|tv|streaming|insurance|health"
    r"|dental|pension|retirement|payment|meal|news(?:paper)?|magazine|club|museum|zoo|parking|vpn|cloud storage|hosting"
)
"""Whose plan a plan may be, beside the one that is talked about."""
FALSE_NAMES: Final = frozenset(
    """batman superman spiderman spider-man ironman santa jesus god satan voldemort dracula zorro tarzan yoda gandalf hulk thor
    mud legion nobody none nothing unknown anonymous null undefined root admin test toast dead gone back home busy bad good new
    true false yes no bond sherlock""".split()
)
"""What somebody calls themselves in jest, or is no name."""
APART: Final = (
    r"\balso\b|\bas well\b|\bon (?:the )?weekends?\b|\bpart[- ]time\b|\bon the side\b|\bhalf (?:of )?the (?:year|time|week)\b"
    r"|\b(?:during|in|over|for) (?:the )?(?:summers?|winters?|holidays|vacations?)\b|\bsecond (?:job|home|house)\b|\bbesides\b"
    r"|\bsometimes\b|\bon \w+days\b|\b(?:some|part) of the (?:year|time|week)\b|\b(?:summer|holiday|vacation) (?:home|house)\b"
)
"""Beside such words a value stands beside the one there was."""
LIMITED: Final = (
    r"\bon (?:\w+days?|(?:the )?weekends?)\b|\bin the (?:mornings?|evenings?|afternoons?|summers?|winters?)\b|\bat night\b"
    r"|\b(?:for|at|after|before|with) (?:breakfast|lunch|dinner|supper|bed|dessert)\b|\bwhen\b|\bwhile\b|\bthis (?:week|month)\b"
    r"|\btoday\b|\btomorrow\b|\btonight\b|\bif\b|\bevery day\b|\ball the time\b|\bfull[- ]time\b|\btoo (?:much|often)\b"
)
"""What is denied with such words is denied of a part only."""
GONE: Final = (
    r"\b(?:died|passed away|is dead|was put down|(?:was|got) (?:stolen|sold)|ran away|put (?:him|her|it) down|is no longer with us"
    r"|isn't alive|was euthani[sz]ed)\b"
)
"""Whoever this is said of is there no more."""
