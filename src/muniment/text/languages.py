"""Which language a text is in, as far as stemming and function words need to know.

Rule of this file: deterministic and cheap. A guess may be wrong; what it decides must still let documents and questions meet.
"""

# ruff: noqa: RUF001  words of other scripts are what this file is about

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import Stemmer

ENGLISH = "english"

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: (
            "a about an and any are as at be been being but by can cannot could did do does doing dont for from had has "
            "have having he her hers herself him himself his how i if im in into is it its itself just me my myself no not "
            "of on or our ours ourselves out shall she should so some such than that the their theirs them themselves then "
            "there these they this those to too up us was we were what when where which who whom whose why will with would "
            "you your yours yourself yourselves"
        ),
        "spanish": (
            "a al como con cual cuál cuando cuándo de del desde donde dónde el ella ellas ellos en entre era es esa ese eso "
            "esta está estaba este esto fue ha han hasta hay la las le les lo los me mi mis muy más ni no nos o para pero "
            "por porque que qué quien quién se ser si sin sobre son su sus también te tiene tu tus un una unos y ya yo"
        ),
        "french": (
            "a à ai au aux avec c ce ces cette ces comme d dans de des du elle elles en est et était être eu il ils j je l "
            "la le les leur leurs lui m ma mais me mes moi mon n ne nous on ont ou où par pas pour qu quand que quel quelle "
            "qui quoi s sa se ses son sont sur t ta te tes toi ton tu un une vos votre vous y"
        ),
        "german": (
            "aber als am an auch auf aus bei bin bis da das dass dem den der des die dir du ein eine einem einen einer er "
            "es für habe haben hat hatte ich ihm ihn ihr im in ist ja kann mein meine mich mir mit nach nicht noch nur oder "
            "sein seine sich sie sind so über um und uns unser von vor wann war waren warum was wenn wer werden wie wir "
            "wird wo zu zum zur"
        ),
        "italian": (
            "a ad ai al alla anche c che chi ci come con cosa cui da dal dalla dei del della delle di dove e è era gli ha "
            "hai hanno ho i il in io la le lei li lo loro lui ma mi mia mio ne nel nella no noi non o per perché più quando "
            "quale quali quello questa questo se si sono su sua sul suo ti tra tu tua tuo un una uno"
        ),
        "portuguese": (
            "a ao aos as até com como da das de dela dele do dos e é ela elas ele eles em entre era essa esse esta está "
            "este eu foi há isso isto já lhe mais mas me meu minha muito na nas no nos não o onde os ou para pela pelo por "
            "porque qual quando que quem se sem ser seu sua são também te tem tu um uma você"
        ),
        "dutch": (
            "aan als bij dan dat de den der deze die dit door een en er had heb hebben heeft het hij hoe hun ik in is je "
            "kan maar me met mij mijn naar niet nog nu of om onder ons ook op over te tot u uit uw van voor waar waren was "
            "wat we wel werd wie wij wordt ze zich zij zijn zo zou"
        ),
        "swedish": (
            "alla att av blev de dem den det där denna dig din du efter ej eller en er ett för från ha hade han har hans "
            "hon hur här i inte jag kan man med men mig min mot mycket nu när och om oss på sig sin ska skulle som så till "
            "under upp ut var vad vi vid är"
        ),
        "danish": (
            "af alle at blev da de dem den der deres det dig din du efter eller en er et for fra ham han har havde hende "
            "hun hvad hvem hvor hvordan hvornår i ikke jeg kan man med men mig min mod nu når og også om op os på sig sin "
            "skal som til ud under var ved vi vil være"
        ),
        "norwegian": (
            "alle at av ble da de deg dem den der deres det din du eller en er et etter for fra ha hadde han har henne hun "
            "hva hvem hvor hvordan i ikke jeg kan man med meg men min mot nå når og også om opp oss på seg sin skal som til "
            "under ut var ved vi vil være"
        ),
        "finnish": (
            "ei en että hän he ja jo jos joka kanssa kun kuin me mikä missä milloin minä mitä mutta myös ne niin nyt ole "
            "olen oli on ovat se sen siitä sinä tai tämä te vain"
        ),
        "hungarian": (
            "a az be de egy ez ezt hogy és fel ha hol hogyan is ki kell le meg mi mikor mint most már nagyon ne nem neki ő "
            "ők sem szerint te ti úgy vagy van volt"
        ),
        "romanian": (
            "a ai al am are au ca care când ce cine cu cum da dar de din după ea ei el este eu în la le lui mai mă mea meu "
            "mi ne nu o pe pentru prin sa să sau se și sunt ta te tu un una unde va"
        ),
        "turkish": (
            "ama ben bir bu çok da daha de değil diye en gibi ha hem her ile için ise kadar ki kim mi mı mu ne neden nerede "
            "o olan olarak onlar sen siz şu ve veya ya"
        ),
        "indonesian": (
            "ada adalah akan anda apa atau dan dari dengan di dia ini itu juga kami kapan karena ke kita kamu lebih mana "
            "mereka oleh pada saya sebagai siapa sudah telah tidak untuk yang"
        ),
        "russian": (
            "а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же "
            "за и из или им их к как какой когда кто ли мне мой мы на над не него нет но ну о об он она они оно от по под "
            "при с со так там то тоже только ты у уже чем что чтобы эта эти это я"
        ),
        "greek": (
            "αλλά αν από αυτά αυτή αυτό αυτός για δεν εγώ εδώ είμαι είναι ένα ένας η ήταν θα και κι με μας μην μια μου να ο "
            "οι όπως όταν ότι πού ποιος που πως σας σε στη στην στο στον τα τη την της τι τις το τον του τους των ως"
        ),
        "arabic": (
            "إلى أن أنا أو أين إن أي التي الذي ب بعد بين تم حتى ذلك على عن عند غير في قد كان كانت كل كما لا لم لن ما ماذا "
            "متى مع من منذ نحن هذا هذه هل هو هي و يا"
        ),
        "hindi": (
            "और इस उस एक ऐसा कब कर करता कहाँ का कि किया की कुछ के को कौन क्या गया जो तक तो था थी थे नहीं ने पर बहुत भी में "
            "मैं मेरा यह या ये वह वे से हम ही है हैं हो हूँ"
        ),
    }.items()
}
"""Words that carry grammar rather than meaning, per language with a Snowball stemmer."""

_LATIN = tuple(name for name in FUNCTION_WORDS if name not in ("russian", "greek", "arabic", "hindi"))
_BY_SCRIPT = (
    ("\u0370", "\u03ff", "greek"),
    ("\u1f00", "\u1fff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0531", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
_OF_WORD: dict[str, tuple[str, ...]] = {}
for _language in _LATIN:
    for _word in FUNCTION_WORDS[_language]:
        _OF_WORD[_word] = (*_OF_WORD.get(_word, ()), _language)

_GUESS_FROM = 200
_local = threading.local()


def guess(words: Sequence[str]) -> str | None:
    """The Latin-script language most of these lower-case words' function words belong to; None when there are none.

    English wins a tie, then the order of `FUNCTION_WORDS`. Only the first words of a long text are looked at.
    """
    votes = dict.fromkeys(_LATIN, 0)
    for word in words[:_GUESS_FROM]:
        for language in _OF_WORD.get(word, ()):
            votes[language] += 1
    most = max(_LATIN, key=votes.__getitem__)
    return most if votes[most] else None


def language_of(word: str, latin: str | None) -> str:
    """The language whose stemmer fits `word`: by its script, or `latin` (English when unknown) for Latin letters."""
    first = word[0]
    if first < "\u0370":
        return latin or ENGLISH
    return next((language for low, high, language in _BY_SCRIPT if low <= first <= high), latin or ENGLISH)


def is_function_word(word: str, latin: str | None) -> bool:
    """True when `word` only carries grammar in its language."""
    return word in FUNCTION_WORDS.get(language_of(word, latin), frozenset())


def stems(words: Sequence[str], language: str) -> list[str]:
    """Snowball stems of lower-case words, in order."""
    return list(_stemmer(language).stemWords(list(words)))


def stem(word: str, language: str) -> str:
    """The Snowball stem of one lower-case word."""
    return str(_stemmer(language).stemWord(word))


def latin_stems(word: str) -> Iterable[str]:
    """Stems of one word under every Latin-script language: for a question whose language nothing tells."""
    return (stem(word, language) for language in _LATIN)


def _stemmer(language: str) -> Stemmer.Stemmer:
    """A stemmer of this thread's own: they are not made to be shared."""
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__
    if language not in stemmers:
        stemmers[language] = Stemmer.Stemmer(language, 0)
    return stemmers[language]
