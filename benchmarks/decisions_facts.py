"""Matters that people decide about: what was to choose from, why one might, what came of it. Facts only, no sentences.

Rule of this file: the wording stands in `decisions_data`; each reason is told as a clause and as a thing.
"""

# ruff: noqa: E501  a template and a fact read best on one line

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One matter: `about` names it, `options` are what there is to choose from, reasons pair a clause with a thing."""

    about: str
    options: tuple[str, ...]
    reasons: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...]
    conditions: tuple[str, ...] = ("the budget is approved", "the lawyers agree", "the trial goes well")


def _matter(about: str, options: str, reasons: str, outcomes: str) -> Matter:
    pairs = [tuple(part.strip() for part in line.split("|")) for line in reasons.split(";")]
    return Matter(
        about=about,
        options=tuple(one.strip() for one in options.split(",")),
        reasons=tuple((clause, thing) for clause, thing in pairs),
        outcomes=tuple(one.strip() for one in outcomes.split(";")),
    )


MATTERS = (
    _matter("the orders database", "PostgreSQL, MariaDB, CockroachDB, MongoDB",
            "its tooling is mature|the mature tooling; two of our engineers know it well|the experience in the team; the licence costs nothing|the licence cost",
            "query times fell by a third; nightly backups shrank to ten minutes; two outages happened in one week"),
    _matter("the office location", "Porto, Valencia, Gdansk, Leipzig",
            "rents are half of what we pay now|the low rents; the airport is twenty minutes away|the airport; most candidates live nearby|the pool of candidates",
            "hiring took half the time; the commute annoyed everybody; rent dropped to nine thousand a month"),
    _matter("the payment provider", "Stripe, Adyen, Mollie, Braintree",
            "the fees are lower abroad|the fees abroad; support answers within an hour|the quick support; it handles recurring invoices|the recurring invoices",
            "failed payments dropped to two percent; chargebacks doubled in June; the finance team saved a day each month"),
    _matter("the message queue", "RabbitMQ, Kafka, NATS, Pulsar",
            "it runs on a single node|the small footprint; ordering is guaranteed|the guaranteed ordering; our volume is tiny|our tiny volume",
            "the backlog vanished overnight; consumers stalled twice; latency settled at four milliseconds"),
    _matter("the family car", "the Skoda estate, the Toyota hybrid, the used Volvo, the electric Kia",
            "the boot fits the dog crate|the big boot; it burns less fuel|the fuel economy; the dealer offered a long warranty|the long warranty",
            "fuel costs went down to ninety euros; the gearbox failed after a month; the dog finally travels well"),
    _matter("our summer trip", "Crete, the Dolomites, Cornwall, Iceland",
            "the kids want to swim|the swimming; flights were cheap in July|the cheap flights; my mother cannot stand the heat|the mild weather",
            "the children learned to snorkel; it rained for nine days; my mother hiked every morning"),
    _matter("the wedding menu", "the vegetarian buffet, the seafood menu, the barbecue, the tapas",
            "half the guests eat no meat|the guests who eat no meat; the cook is a friend|the friendship with the cook; it stays within budget|the budget",
            "nobody complained about the food; the grill broke at noon; three guests asked for the recipes"),
    _matter("the course to study", "nursing, civil engineering, graphic design, law",
            "I like working with people|the work with people; the city needs more of them|the demand in the city; evening classes exist|the evening classes",
            "I passed the first year with honours; the night shifts wore me out; I found a job before graduating"),
    _matter("the mobile framework", "Flutter, React Native, native Swift, Kotlin Multiplatform",
            "one codebase serves both stores|the single codebase; hot reload speeds us up|the hot reload; the designers prefer its widgets|the widgets",
            "releases now take two days; the app size grew to eighty megabytes; crash reports fell by sixty percent"),
    _matter("the pet", "a greyhound, two cats, a rabbit, a parrot",
            "we are out during the day|the long working days; my son is allergic to cats|my son's allergy; a shelter nearby had one|the shelter nearby",
            "my son sleeps better; the sofa is in shreds; our evenings got livelier"),
    _matter("the pricing", "a flat fee, per-seat pricing, usage pricing, three tiers",
            "customers asked for predictable bills|predictable bills; it is easy to explain|the simple explanation; small teams were leaving|the loss of small teams",
            "churn fell to three percent; revenue per account rose by a fifth; support tickets about invoices tripled"),
    _matter("the deployment schedule", "weekly releases, daily releases, monthly releases, releases on demand",
            "small changes are easier to undo|easier undoing; testers need a quiet day|the testers; the auditors want a calendar|the auditors",
            "rollbacks became rare; testers work fewer weekends; features wait longer than before"),
    _matter("the mortgage", "a fixed rate, a variable rate, a ten-year loan, waiting another year",
            "we sleep better with known payments|known payments; rates will climb again|the climbing rates; our income varies|our varying income",
            "we saved eleven thousand euros; payments stayed the same; rates dropped right after"),
    _matter("the heating", "a heat pump, pellet stoves, district heating, solar panels",
            "the state pays a third|the subsidy; our roof faces north|the north-facing roof; gas became too expensive|the gas price",
            "the bill shrank to sixty euros a month; the neighbours complained about noise; the upstairs rooms stay cold"),
    _matter("the logo", "the blue fox, the plain wordmark, the origami bird, the compass",
            "it prints well in one colour|the one-colour print; testers remembered it|the memorable shape; the trademark was free|the free trademark",
            "signups climbed by eight percent; a rival copied it; people recognise the stand at fairs"),
    _matter("the marathon training", "running club sessions, a personal coach, an app plan, training alone",
            "company keeps me going|the company; my knee needs supervision|my knee; mornings are my only free time|free mornings",
            "I finished in under four hours; my knee swelled up; I made three new friends"),
    _matter("the support desk", "Zendesk, Freshdesk, a shared mailbox, Intercom",
            "agents already know its shortcuts|the known shortcuts; it exports everything|the export; reports come built in|the built-in reports",
            "first replies come within twelve minutes; agents lost track of threads; satisfaction climbed to ninety percent"),
    _matter("the kitchen worktop", "oak, granite, stainless steel, laminate",
            "hot pans leave no marks|heat resistance; the carpenter had some left|the leftover stock; it is quick to clean|easy cleaning",
            "stains come off with water; the edge chipped in March; guests keep admiring it"),
    _matter("the research design", "a diary study, a survey, field interviews, an A/B test",
            "participants forget details later|forgetful participants; we need numbers by May|the May deadline; shops let us observe|the access to shops",
            "eleven new needs surfaced; half of the answers were blank; the board believed the figures"),
    _matter("the cloud region", "Frankfurt, Dublin, Stockholm, Zurich",
            "patient data must stay in the country|the patient data; power there is mostly hydro|the hydro power; the latency suits our users|the latency",
            "pages load in half a second; the invoice grew by a tenth; auditors closed their finding"),
    _matter("the school", "the Montessori school, the village school, the bilingual school, homeschooling",
            "classes have only fifteen children|the small classes; grandma lives next door|grandma next door; she speaks two languages already|her two languages",
            "she reads on her own now; mornings are calm; she misses her old friends"),
    _matter("the contract", "Acme Logistics, Borealis Freight, our own vans, Kestrel Couriers",
            "they deliver on Saturdays|Saturday delivery; their insurance covers glass|the glass insurance; the previous one lost parcels|the lost parcels",
            "complaints dropped to four a week; one truck burned out; delivery costs fell by seven percent"),
    _matter("the medication plan", "the lower dose, physiotherapy first, surgery in autumn, the new inhaler",
            "the side effects frightened me|the side effects; my doctor saw good results with it|the good results; recovery takes three weeks only|the short recovery",
            "the pain is gone; I slept badly for a month; I can climb stairs again"),
    _matter("the testing tool", "Playwright, Cypress, Selenium, manual testing",
            "it drives all three browsers|the three browsers; traces show what failed|the traces; interns pick it up quickly|the gentle learning curve",
            "flaky tests went from forty to three; the build takes nine minutes; bugs in checkout disappeared"),
)  # fmt: skip
PEOPLE = ("Maren", "Tobias", "Ines", "Rahul", "Sofia", "Keiko", "Dmitri", "Amara", "Lucas", "Yara", "Henrik", "Chloe")
CUSTOMERS = ("northwind", "lumen", "cobalt", "harbor", "quartz")
