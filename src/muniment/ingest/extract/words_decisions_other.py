"""How decisions and commitments are told in other languages than English: one row of patterns each.

Rule of this file: constants only; a row has `decided` (with what was decided in the group `what`, and who in `who` where it is
told), `because`, `instead`, `depends`, `promised` and `unsure`. Every repetition is bounded.
"""

# ruff: noqa: RUF001, E501, SIM905  words of other scripts; a pattern and a list of words read best unbroken

from __future__ import annotations

OTHER: dict[str, dict[str, str]] = {
    "zh": {
        "decided": r"(?P<who>我们|我|他们|她们|他|她|咱们|大家|团队|公司|[\u4e00-\u9fff]{2,3}(?=最终|决定|最后))?(?:最终|最后|已经|已|终于|还是|今天|昨天|一致|后来|刚刚|刚|都|也|于是|所以|就|经过讨论)*(?:决定|選擇了|选择了|选择|选定了?|敲定了?|商定了?|確定用|确定用|拍板|同意)(?:了|采用|用)?(?P<what>[^。！？\n]{1,120})",
        "because": r"[，,；;、\s]*(?:主要是因为|主要因为|是因为|因为|因為|由于|由於|原因是|理由是|为了|為了|以便)",
        "instead": r"[，,、\s]*(?:而不是|而非|而不用|不用|不选|代替|取代|没有选|放弃)",
        "depends": r"[，,、\s]*(?:如果|只要|前提是|取决于|除非)",
        "promised": r"(?P<who>我们|我|他|她|[\u4e00-\u9fff]{2,3}(?=会|将|答应|保证|承诺))(?:会|将会|将|答应|保证|承诺)(?:在)?(?P<what>[^。！？\n]{1,60}(?:之前|以前|前|周[一二三四五六日天]|明天|后天|下周|月底|今晚)[^。！？\n]{0,60})",
        "unsure": r"还没|没有决定|尚未|未决定|不知道|决定不了|如果我们决定|吗|呢[？?]|要不要|是否|应该|可能会|也许|考虑",
    },
    "de": {
        "decided": r"\b(?P<who>[Ii]ch|[Ww]ir|[Ee]r|[Ss]ie|[Mm]an|[A-ZÄÖÜ][\wäöüß]{1,20}) (?:habe|haben|hat|hatte|hatten)(?: uns| mich| sich)?(?: [\wäöüß]{1,14}){0,3}? ?(?:(?:beschlossen|entschieden|vereinbart|festgelegt),? (?:dass )?(?P<what>[^.!?\n]{2,160})|(?:für|gegen|auf) (?P<what2>[^.!?\n,]{2,80}?) (?:entschieden|geeinigt|festgelegt)\b(?P<tail>[^.!?\n]{0,160}))"
        r"|\b(?P<who3>[Ii]ch entscheide mich|[Ww]ir entscheiden uns|[Ww]ir nehmen|[Ww]ir bleiben bei)(?: für)? (?P<what3>[^.!?\n]{2,160})",
        "because": r",? ?\b(?:weil|da(?= (?:es|wir|sie|er|das|die|der|ich)\b)|denn|aufgrund|wegen|damit|um (?=[^,.]{2,60} zu ))\b",
        "instead": r",? ?\b(?:anstatt|anstelle von|statt|und nicht|nicht(?= [A-ZÄÖÜ]))\b",
        "depends": r",? ?\b(?:falls|sofern|wenn|sobald|vorausgesetzt(?:,? dass)?|solange)\b",
        "promised": r"\b(?P<who>[Ii]ch|[Ww]ir|[A-ZÄÖÜ][\wäöüß]{1,20}) (?:werde|werden|wird|schicke|schickt|liefere|liefert|erledige|erledigt|mache|macht|verspreche|verspricht),? (?P<what>[^.!?\n]{0,80}\b(?:bis|am|morgen|heute|nächste\w*)\b[^.!?\n]{0,80})",
        "unsure": r"\b(?:noch nicht|nicht entschieden|vielleicht|könnte\w*|sollte\w*|würde\w*|ob wir|ob ich|überlege\w*|hätte\w*)\b",
    },
    "fr": {
        "decided": r"\b(?P<who>[Jj]['’]ai|[Nn]ous avons|[Oo]n a|[Ii]ls ont|[Ee]lles ont|[Ii]l a|[Ee]lle a|[A-ZÀ-Ý][\wà-ÿ]{1,20} a)(?: [\wà-ÿ]{1,14}){0,2}? (?:décidé|choisi|opté|convenu|retenu|tranché|adopté)(?: (?:de |d['’]|pour |que |en faveur de ))? ?(?P<what>[^.!?\n]{2,160})",
        "because": r",? ?\b(?:parce qu(?:e\b|['’])|car\b|puisqu(?:e\b|['’])|à cause d(?:e\b|['’])|en raison d(?:e\b|['’])|grâce à|étant donné|afin d(?:e\b|['’])|pour (?=(?:réduire|éviter|gagner|économiser|améliorer)\b)|vu que\b)",
        "instead": r",? ?\b(?:au lieu d(?:e\b|['’])|plutôt qu(?:e\b|['’])|et non\b|à la place d(?:e\b|['’]))",
        "depends": r",? ?\b(?:à condition que|à condition de|si\b|dès que|sous réserve d(?:e\b|['’])|tant que)",
        "promised": r"\b(?P<who>[Jj]e vais|[Jj]['’]|[Jj]e|[Nn]ous allons|[A-ZÀ-Ý][\wà-ÿ]{1,20} va|[Jj]e promets de) ?(?P<what>(?:vous |te |t['’]|lui |leur )?(?:enverrai|envoyer|livrerai|livrer|ferai|faire|finirai|finir|appellerai|appeler|rappeler)[^.!?\n]{0,80}\b(?:avant|d['’]ici|demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|le)\b[^.!?\n]{0,60})",
        "unsure": r"\b(?:pas encore|n['’]avons pas|n['’]ai pas|n['’]a pas|peut-être|devrions|devrait|pourrait|pourrions|aurait|si nous avions)\b",
    },
    "es": {
        "decided": r"\b(?:(?P<who>[Hh]e|[Hh]emos|[Hh]an|[A-ZÁ-Ú][\wá-ú]{1,20} ha|[Yy]o|[Nn]osotros|[Nn]osotras|[A-ZÁ-Ú][\wá-ú]{1,20}) )?(?:al final |finalmente )?(?:[Dd]ecid(?:ido|í|imos|ió|ieron)|[Ee]legi(?:do|mos)|[Ee]leg(?:í|ió|ieron)|[Ee]scog(?:ido|í|imos|ió)|[Oo]pt(?:ado|é|amos|ó|aron)|[Aa]cord(?:ado|amos|aron)|[Nn]os quedamos con)(?: (?:por|que|en))? (?P<what>[^.!?\n]{2,160})",
        "because": r",? ?\b(?:porque|ya que|debido a|puesto que|dado que|a causa de|gracias a|para (?=(?:reducir|evitar|ahorrar|mejorar|ganar)\b))",
        "instead": r",? ?\b(?:en lugar de|en vez de|y no)\b",
        "depends": r",? ?\b(?:si|siempre que|en cuanto|a condición de que|con tal de que)\b",
        "promised": r"\b(?P<who>[Yy]o|[Vv]oy a|[Vv]amos a|[Tt]e|[A-ZÁ-Ú][\wá-ú]{1,20} va a) ?(?P<what>(?:te |le |les )?(?:enviaré|enviar|mandaré|mandar|entregaré|entregar|haré|hacer|llamaré|llamar|terminaré|terminar)[^.!?\n]{0,80}\b(?:antes|mañana|el|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b[^.!?\n]{0,60})",
        "unsure": r"\b(?:todavía no|aún no|no hemos|no he|no ha|quizás?|tal vez|deberíamos|podríamos|debería|podría|habría)\b",
    },
    "pt": {
        "decided": r"\b(?:(?P<who>[Ee]u|[Nn]ós|[Aa] gente|[Aa] equipe|[A-ZÁ-Ú][\wá-ú]{1,20}) )?(?:finalmente |no fim )?(?:[Dd]ecid(?:i|imos|iu|iram)|[Ee]scolh(?:i|emos|eu|eram)|[Oo]pt(?:ei|amos|ou|aram)|[Cc]oncord(?:ei|amos)|[Ff]icamos com)(?: (?:por|que|em))? (?P<what>[^.!?\n]{2,160})",
        "because": r",? ?\b(?:porque|já que|devido a|pois|visto que|por causa d[eoa]s?|graças a|para (?=(?:reduzir|evitar|economizar|melhorar|ganhar)\b))",
        "instead": r",? ?\b(?:em vez d[eoa]s?|ao invés d[eoa]s?|em lugar d[eoa]s?|e não)\b",
        "depends": r",? ?\b(?:se|desde que|assim que|contanto que|caso)\b",
        "promised": r"\b(?P<who>[Ee]u|[Vv]ou|[Vv]amos|[A-ZÁ-Ú][\wá-ú]{1,20} vai) ?(?P<what>(?:te |lhe )?(?:enviarei|enviar|mandar|entregar|entregarei|fazer|farei|ligar|terminar)[^.!?\n]{0,80}\b(?:até|antes|amanhã|na|segunda|terça|quarta|quinta|sexta)\b[^.!?\n]{0,60})",
        "unsure": r"\b(?:ainda não|não decidi\w*|talvez|deveríamos|poderíamos|deveria|poderia|teria)\b",
    },
    "ja": {
        "decided": r"(?:(?P<who>私たち|我々|私|僕|彼|彼女|チーム)(?:は|が))?(?P<what>[^。！？\n]{1,120}?)(?:することに決めました|することに決めた|ことに決めました|ことに決めた|ことにしました|ことにした|ことになりました|に決めました|に決めた|を選びました|を選んだ|を採用しました|を採用した|に決定しました|に決定した|と決めました)",
        "because": r"(?:ので|から|ため|理由で)(?:、|に)",
        "instead": r"(?:ではなく|じゃなくて|の代わりに|よりも)、?",
        "depends": r"(?:であれば|なら|場合は)、?",
        "promised": r"(?:(?P<who>私|僕|私たち)(?:は|が))?(?P<what>[^。！？\n]{0,60}(?:までに|明日|来週|金曜日?に?|今週中に)[^。！？\n]{1,60}?(?:します|送ります|お送りします|提出します|やります|仕上げます))",
        "unsure": r"まだ決め|かもしれ|べき|でしょうか|ですか|決めていない|決めてない|決まっていない",
    },
}

FIRST = frozenset("我 ich he j'ai eu yo 私 僕 vou voy je j' te".split())
"""Words for the speaker alone."""
FIRST_MANY = frozenset("我们 咱们 大家 wir man hemos nosotros nosotras nós vamos 私たち 我々".split()) | {
    "nous avons",
    "on a",
    "a gente",
    "nous allons",
}
"""Words for the speaker and others."""

NEXT_REASON: dict[str, str] = {
    "zh": r"^(?:主要)?(?:原因|理由)(?:是|：|:)|^(?:主要是)?(?:因为|由于)",
    "de": r"^(?:Der (?:Haupt)?[Gg]rund(?: dafür)?(?: ist| war)?(?: der)?[,:]?(?: dass)? |Weil |Denn |Grund: )",
    "fr": r"^(?:La raison(?: principale)?(?: est| était)?(?: :| que)? |Parce que |Car )",
    "es": r"^(?:La razón(?: principal)?(?: es| fue| era)?(?: que|:)? |El motivo(?: es| fue)?(?: que|:)? |Porque )",
    "pt": r"^(?:A razão(?: principal)?(?: é| foi| era)?(?: que|:)? |O motivo(?: é| foi)?(?: que|:)? |Porque )",
    "ja": r"^(?:理由は|なぜなら)、?",
}
"""How the sentence after a decision opens when it gives the reason."""

GATE = (
    r"决定|選擇|选择|选定|敲定|商定|确定用|確定用|拍板|同意|会|将|答应|保证|承诺|"
    r"beschlossen|entschieden|geeinigt|festgelegt|vereinbart|entscheide|nehmen|bleiben|werde|wird|schick|liefer|erledig|versprech|"
    r"décidé|choisi|opté|convenu|retenu|tranché|adopté|enverrai|envoyer|livrer|ferai|faire|finir|appeler|rappeler|"
    r"decid|eleg|escog|escolh|opt[aeéó]|acord|concord|quedamos|ficamos|envi|mand|entreg|har[ée]|llamar|terminar|ligar|fazer|farei|"
    r"決め|こと[にが]|選[びん]|採用|決定|します|送ります|やります|仕上げ"
)
