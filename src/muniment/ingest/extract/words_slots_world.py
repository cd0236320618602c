"""Frames of other languages as patterns: (pattern, attribute), the value in group `v`.

Rule of this file: constants only; first person, present or plain past, the commonest wording of each slot.
"""

# ruff: noqa: RUF001  letters of other scripts are what this file is about

from __future__ import annotations

from typing import Final

MARKS: Final = (
    r"\b(?:ich|mein|meine|bin|je|mon|ma|mes|moi|me (?:llamo|gustan?|encantan?|mud|he|chamo)\w*|"
    r"mi|soy|vivo|trabajo|tengo|hablo|odio|amo|yo|eu|meu|minha|moro|sou|trabalho|"
    r"tenho|falo|gosto|adoro|odeio|mudei|io|sono|abito|lavoro|parlo|ho|mio|mia)\b|j'|"
    r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
STOPS: Final = (
    r"\s+(?:und|aber|seit|weil|et|mais|depuis|car|y|pero|desde|porque|e|ma|da|perché|mas|há|и|но|с|уже)\s+|[,;.!。、，]| 그리고 "
)
JOINTS: Final = (
    r"\s+(?:und|et|y|e|и|aber|mais|pero|ma|mas|но|а)\s+|[,，、;]\s*(?:(?:und|et|y|e|и|aber|mais|pero|ma|mas|но|а|也|还)\s*)?"
)
"""Where a second clause may begin."""
PERSONS_OF: Final = r"\b(?:ich|je|я)\b|\bj'|我"
"""The "I" that a second clause may leave out."""
ENDS: Final = (
    r"\bnicht mehr\b|\bne\b.*\bplus\b|\bn'.*\bplus\b|\bya no\b|\bnon\b.*\bpiù\b|\bnão\b.*\bmais\b|"
    r"больше не|不再|もう.*(?:ない|ません)|더 이상"
)

_V: Final = r"(?P<v>[^,;.!?]{2,50})"
_N: Final = r"(?P<v>[^\s,;.!?]{1,30}(?: [A-ZÀ-ÖØ-ÞА-Я][^\s,;.!?]{1,30})?)"

FRAMES: Final[tuple[tuple[str, str], ...]] = (
    # German
    (rf"\b(?:ich heiße|ich heisse|mein name ist) {_N}", "name"),
    (rf"\bich (?:wohne|lebe) (?:jetzt |derzeit |seit \d+ jahren |nicht mehr )*(?:in|bei) {_V}", "lives_in"),
    (rf"\bich bin (?:letzte \w+ |jetzt )?nach {_V} (?:umgezogen|gezogen)", "lives_in"),
    (rf"\bich arbeite (?:jetzt |derzeit |nicht mehr )*(?:bei|für) {_V}", "works_at"),
    (rf"\bich arbeite als {_V}", "job"),
    (rf"\bich studiere (?:[^,;.!?]{{2,30}} )?an der {_V}", "studies_at"),
    (r"\bich bin (?P<v>\d{1,3}) jahre alt", "age"),
    (rf"\bich (?:mag|liebe) (?!nicht|kein|es|das|dich){_V}", "likes"),
    (r"\bich (?:hasse|mag (?:keine[nrs]?|nicht)) (?P<v>[^,;.!?]{2,50})", "dislikes"),
    (rf"\bich esse (?:gerne|gern|am liebsten) {_V}", "likes"),
    (r"\bich bin (?P<v>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch)\b", "diet"),
    (r"\bich habe (?P<v>(?:einen?|zwei|drei|vier) [^,;.!?]{2,40})", "has"),
    (r"\bich spreche (?P<v>[^,;.!?]{2,40})", "speaks"),
    (
        (
            r"\b(?:mein (?:tarif|plan|abo) ist|ich bin im|ich nutze den) (?:der |das )?(?P<v>[^,;.!?]{2,30}?)(?:[- "
            r"](?:tarif|plan|abo))?\s*[.!]*$"
        ),
        "plan",
    ),
    # French
    (rf"\b(?:je m'appelle|mon nom est|moi c'est) {_N}", "name"),
    (rf"\bj(?:e ne |')?(?:e )?(?:habite|vis) (?:maintenant |actuellement |plus )*(?:à|a|en|au|aux|dans) {_V}", "lives_in"),
    (rf"\bj'ai (?:déménagé|emménagé) (?:à|en|au) {_V}", "lives_in"),
    (rf"\bje (?:ne )?travaille (?:maintenant |actuellement |plus )*(?:chez|pour) {_V}", "works_at"),
    (rf"\bje travaille comme {_V}", "job"),
    (r"\bj'ai (?P<v>\d{1,3}) ans", "age"),
    (rf"\bj'(?:aime|adore) (?!pas|bien que){_V}", "likes"),
    (rf"\bje (?:déteste|hais) {_V}", "dislikes"),
    (rf"\bje n'aime pas {_V}", "dislikes"),
    (r"\bje suis (?P<v>végétarien(?:ne)?|végane?|vegan)\b", "diet"),
    (r"\bj'ai (?P<v>(?:une?|deux|trois|quatre) (?!idée|question|peu)[^,;.!?]{2,40})", "has"),
    (r"\bje parle (?P<v>(?!de|à|avec)[^,;.!?]{2,40})", "speaks"),
    (rf"\bmon (?:forfait|abonnement) est (?:le |l')?{_V}", "plan"),
    # Spanish
    (rf"\b(?:me llamo|mi nombre es) {_N}", "name"),
    (rf"\bvivo (?:ahora |actualmente )?en {_V}", "lives_in"),
    (rf"\bme (?:mudé|he mudado|mude) a {_V}", "lives_in"),
    (rf"\btrabajo (?:ahora |actualmente )?(?:en|para) {_V}", "works_at"),
    (rf"\btrabajo (?:de|como) {_V}", "job"),
    (r"\btengo (?P<v>\d{1,3}) años", "age"),
    (rf"\bno me gustan? {_V}", "dislikes"),
    (rf"\b(?:me (?:gustan?|encantan?)|amo) (?!que){_V}", "likes"),
    (rf"\bodio {_V}", "dislikes"),
    (r"\bsoy (?P<v>vegetarian[oa]|vegan[oa])\b", "diet"),
    (r"\btengo (?P<v>(?:una?|dos|tres|cuatro) (?!pregunta|idea|duda)[^,;.!?]{2,40})", "has"),
    (r"\bhablo (?P<v>(?!de|con)[^,;.!?]{2,40})", "speaks"),
    (rf"\bmi (?:plan|suscripción) es (?:el |la )?{_V}", "plan"),
    # Portuguese
    (rf"\b(?:me chamo|meu nome é|chamo-me) {_N}", "name"),
    (rf"\b(?:moro|vivo) (?:agora |atualmente |mais )?(?:em|no|na) {_V}", "lives_in"),
    (rf"\b(?:mudei-me|me mudei|mudei) para {_V}", "lives_in"),
    (rf"\btrabalho (?:agora |atualmente |mais )?(?:na|no|para|em) {_V}", "works_at"),
    (rf"\btrabalho como {_V}", "job"),
    (r"\btenho (?P<v>\d{1,3}) anos", "age"),
    (rf"\bnão gosto (?:de |do |da ){_V}", "dislikes"),
    (rf"\b(?:gosto (?:de |do |da )|adoro |amo ){_V}", "likes"),
    (rf"\bodeio {_V}", "dislikes"),
    (r"\bsou (?P<v>vegetarian[oa]|vegan[oa])\b", "diet"),
    (r"\btenho (?P<v>(?:uma?|dois|duas|três|quatro) (?!pergunta|ideia|dúvida)[^,;.!?]{2,40})", "has"),
    (r"\bfalo (?P<v>(?!de|com)[^,;.!?]{2,40})", "speaks"),
    (rf"\bmeu plano é (?:o )?{_V}", "plan"),
    # Italian
    (rf"\b(?:mi chiamo|il mio nome è) {_N}", "name"),
    (rf"\b(?:abito|vivo) (?:adesso |ora |attualmente |più )?(?:a|in|ad) {_V}", "lives_in"),
    (rf"\bmi sono trasferit[oa] (?:a|in|ad) {_V}", "lives_in"),
    (rf"\blavoro (?:adesso |ora |attualmente |più )?(?:per|alla|presso|da|in) {_V}", "works_at"),
    (rf"\blavoro come {_V}", "job"),
    (r"\bho (?P<v>\d{1,3}) anni", "age"),
    (rf"\bnon mi piac(?:e|ciono) {_V}", "dislikes"),
    (rf"\b(?:mi piac(?:e|ciono)|amo|adoro) {_V}", "likes"),
    (rf"\bodio {_V}", "dislikes"),
    (r"\bsono (?P<v>vegetarian[oa]|vegan[oa])\b", "diet"),
    (r"\bho (?P<v>(?:un|una|due|tre|quattro) (?!domanda|idea|dubbio)[^,;.!?]{2,40})", "has"),
    (r"\bparlo (?P<v>(?!di|con)[^,;.!?]{2,40})", "speaks"),
    (rf"\bil mio piano è (?:il |lo )?{_V}", "plan"),
    # Chinese
    (r"我(?:的名字)?(?:叫|是叫|的名字是)(?P<v>[^，。,.!！的]{1,12})", "name"),
    (r"我(?:现在|目前|不再)?(?:住在|搬到了?|搬到)(?P<v>[^，。,.!！了]{1,15})", "lives_in"),
    (r"我(?:现在|目前|不再)?在(?P<v>[^，。,.!！]{1,15}?)(?:工作|上班)", "works_at"),
    (r"我(?:今年)?(?P<v>\d{1,3})岁", "age"),
    (r"我(?:很|非常)?不喜欢(?P<v>[^，。,.!！]{1,15})", "dislikes"),
    (r"我讨厌(?P<v>[^，。,.!！]{1,15})", "dislikes"),
    (r"我(?:很|非常|最)?(?:喜欢|爱)(?P<v>[^，。,.!！你]{1,15})", "likes"),
    (r"我有(?P<v>[一两三四五六几][^，。,.!！]{1,15})", "has"),
    (r"我(?:的套餐是|用的是|在用)(?P<v>[^，。,.!！]{1,12}?)(?:套餐|版)?(?:$|[。.!！])", "plan"),
    # Japanese
    (r"(?:私の)?名前は(?P<v>[^、。]{1,15}?)です", "name"),
    (r"(?:私は|今は|現在)?(?P<v>[^、。はが]{1,12})に住んで(?:いま|い|る|ま)", "lives_in"),
    (r"(?P<v>[^、。はが]{1,12})に引っ越し", "lives_in"),
    (r"(?:私は)?(?P<v>[^、。はが]{1,15})で働いて", "works_at"),
    (r"(?P<v>\d{1,3})歳です", "age"),
    (r"(?:私は)?(?P<v>[^、。は]{1,15})が(?:大)?好きです", "likes"),
    (r"(?:私は)?(?P<v>[^、。は]{1,15})が(?:嫌い|苦手)です", "dislikes"),
    # Korean
    (r"(?:제|내) 이름은 (?P<v>[^ ,.]{1,12}?)(?:입니다|이에요|예요|이야|야)", "name"),
    (r"(?P<v>[^ ,.]{1,12})에 (?:살고|살아|삽니다|산다)", "lives_in"),
    (r"(?P<v>[^ ,.]{1,12})(?:으로|로) 이사", "lives_in"),
    (r"(?P<v>[^ ,.]{1,15})에서 (?:일하|일해|근무|일합)", "works_at"),
    (r"(?P<v>\d{1,3})살(?:이에요|입니다|이야)", "age"),
    (r"(?P<v>[^ ,.]{1,15})(?:을|를) (?:좋아|사랑)", "likes"),
    (r"(?P<v>[^ ,.]{1,15})(?:을|를) (?:싫어)", "dislikes"),
    # Russian
    (rf"меня зовут {_N}", "name"),
    (rf"я (?:сейчас |теперь |больше не )?живу в {_V}", "lives_in"),
    (rf"я (?:недавно )?(?:переехала?|переехал) в {_V}", "lives_in"),
    (rf"я (?:сейчас |теперь |больше не )?работаю (?:в|на) {_V}", "works_at"),
    (rf"я работаю {_V}", "job"),
    (r"мне (?P<v>\d{1,3}) (?:лет|год)", "age"),
    (rf"я не (?:люблю|ем) {_V}", "dislikes"),
    (rf"(?:я (?:очень )?(?:люблю|обожаю)|мне нравится) (?!тебя|вас){_V}", "likes"),
    (rf"я ненавижу {_V}", "dislikes"),
    (r"у меня (?:есть )?(?P<v>(?:один|одна|два|две|три) [^,;.!?]{2,40}|есть [^,;.!?]{2,40})", "has"),
)
"""Tried in order; the first that fits wins."""
