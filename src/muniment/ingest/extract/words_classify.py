"""Cue words of what a sentence does, how surely it is said and whether it is denied.

Rule of this file: constants only. English is thorough, the other languages carry as far as single cues do; scripts without spaces
are matched anywhere, the others at word boundaries. Alternatives of regular expressions, without groups that capture.
"""

# ruff: noqa: SIM905  lists of words read best as text

from __future__ import annotations

GREETINGS = (
    r"hi|hii+|hello|hey|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day|night)|morning|evening|bye"
    r"|goodbye|bye bye"
    r"|see you|see ya|take care|good night|goodnight|farewell|cheers|welcome(?: back)?|nice to meet you|long time no see"
    r"|have a (?:nice|good|great|lovely|wonderful) (?:day|evening|weekend|night|one|time|trip)|talk to you (?:soon|later)"
    r"|hallo|guten (?:tag|morgen|abend)|servus|moin|tschüss|auf wiedersehen|bis (?:bald|morgen|später)"
    r"|bonjour|bonsoir|salut|coucou|au revoir|à bientôt|bonne (?:journée|soirée|nuit)"
    r"|hola|buenos días|buenas (?:tardes|noches)|buenas|adiós|hasta (?:luego|mañana|pronto)"
    r"|olá|oi|bom dia|boa (?:tarde|noite)|tchau|até (?:logo|amanhã)|ciao|buongiorno|buonasera|salve|arrivederci"
    r"|привет|здравствуйте|здравствуй|добрый (?:день|вечер)|доброе утро|до свидания|пока"
    r"|مرحبا|السلام عليكم|أهلا|صباح الخير|مساء الخير|مع السلامة|नमस्ते|नमस्कार|हैलो"
    r"|你好|您好|大家好|早上好|早安|晚安|晚上好|下午好|再见|こんにちは|こんばんは|おはよう|おはようございます"
    r"|さようなら|おやすみ"
    r"|안녕|안녕하세요|안녕히 가세요|สวัสดี|สวัสดีครับ|สวัสดีค่ะ"
)
HOW_ARE_YOU = (
    r"how are (?:you|things|u)(?: (?:doing|today|all|going))*|how(?:'s| is) it going|what'?s up|how have you been"
    r"|how do you do"
    r"|wie geht(?:'s| es)(?: dir| ihnen)?|ça va|comment (?:ça va|vas-tu|allez-vous)|qué tal|cómo estás|como vai"
    r"|tudo bem|come stai|как дела"
)
ACKNOWLEDGEMENTS = frozenset(
    """ok okay okey k kk okie alright aight right sure yes yeah yep yup ya yea no nope nah thanks thank thx ty tysm great
    perfect cool nice awesome excellent wonderful amazing fantastic lovely brilliant super neat sweet good fine done
    understood noted agreed exactly indeed absolutely definitely certainly totally correct true gotcha roger copy ack
    acknowledged confirmed received lol haha hahaha hehe lmao wow oh ah hmm hm mhm uh um np yw cheers please sorry
    interesting continue proceed next yay danke dankeschön ja nein klar genau gut super prima alles merci oui non
    parfait d'accord bien génial gracias sí si vale claro perfecto bueno obrigado obrigada sim não beleza certo
    perfeito grazie sì va bene perfetto certo esatto спасибо да нет хорошо ладно понятно отлично شكرا نعم لا حسنا تمام
    धन्यवाद शुक्रिया हाँ नहीं ठीक अच्छा 谢谢 谢谢你 多谢 好 好的 好吧 是 是的 对 嗯 不 没问题 明白 明白了 知道了 收到
    可以 行 ありがとう ありがとうございます はい いいえ 了解 了解です 了解しました わかりました そうですね うん
    なるほど 감사합니다 고마워 고마워요 네 예 아니요 알겠습니다 좋아요 그래요 ขอบคุณ ขอบคุณครับ ขอบคุณค่ะ ครับ ค่ะ ได้
    โอเค""".split()
)
ACK_FILLERS = frozenset(
    """so very much a lot again you for the that this it is was all i see know then just too really well now to me we're
    we are i'm im that's thats it's its sounds looks seems makes sense got will do problem worries worry welcome my
    pleasure of course your help helping sharing info information answer quick response idea doubt let's lets go ahead
    there here man guys everyone team pretty such an and but helpful useful clear bit one job work luck point same
    happy glad appreciate appreciated have ist das sehr vielen dank schön y e et de nada muy mil molto tante mille
    muito bien hai है""".split()
)

ACK_PHRASES = frozenset(
    (
        *("got it", "will do", "no problem", "no worries", "my pleasure", "of course", "you're welcome", "i see", "makes sense"),
        *("sounds good", "that makes sense", "go ahead"),
    )
)

BARE_ANSWERS = frozenset(
    """yes yeah yep yup yea ya sure no nope nah never absolutely definitely certainly indeed ja nein doch oui non si sí sì não sim
    да нет نعم لا हाँ नहीं 是 是的 不 没有 有 对 はい いいえ 네 아니요""".split()
)
"""What answers a question that asks for yes or no."""
PRAISE = (
    r"(?:very |really |so )?(?:nice|great|good|excellent|amazing|awesome|fantastic|well|superb) (?:work|job|going|one|stuff"
    r"|effort|catch|done|point|question|idea|call|luck)\b(?! (?:at|for|as)\b)"
)

AUXILIARY = (
    r"(?:do|does|did|is|are|am|was|were|can|could|will|would|shall|should|may|might|have|has|had|isn't|aren't|don't"
    r"|doesn't|didn't"
    r"|can't|couldn't|won't|wouldn't|haven't|hasn't) (?:you|u|i|we|he|she|it|they|the|this|that|there|your|my|our|any"
    r"|anyone|someone)"
)
_VERB = r"(?:do|does|did|is|are|am|was|were|can|could|will|would|shall|should|may|might|have|has|had)(?:n't)?"
WH = (
    rf"(?:what's|whats|where's|how's|who's|when's)(?! more)|(?:when|where|why|who|whom|how) {_VERB}|how (?:many|much"
    r"|long|often|far|old|come|about)"
    rf"|(?:what|which|whose) (?:(?!i\b|we\b|you\b|he\b|she\b|they\b|it\b)\w+ ){{0,2}}{_VERB}|what about"
)
INDIRECT = (
    r"i (?:wonder|was wondering|am wondering)|i'm wondering|any (?:idea|ideas|chance|suggestions?|tips|thoughts)"
    r"|do you know|tell me (?:more|about|what|how|why)"
)
OTHER_QUESTIONS = (
    r"(?:吗|嗎|呢|吧)[。.]?$|(?:か|かな|でしょうか|ですか)[。.]?$|(?:까|나요|니|는가)[.]?$|^(?:什么|怎么|为什么|哪里"
    r"|哪儿|谁|几点|多少)"
    r"|^(?:क्या|कब|कहाँ|क्यों|कैसे|कौन)(?!\w)|^(?:هل|ماذا|متى|أين|لماذا|كيف|من)\s|^(?:кто|что|где|когда|почему|зачем|как"
    r"|сколько)\b"
    r"|^(?:was|wer|wo|wann|warum|wie|welche[rs]?)\b(?! ich)|^(?:qu'est-ce|est-ce|pourquoi|comment|où|quand|combien)\b|^¿"
    r"|^(?:perché|dove|quando|quanto|chi)\b|^(?:por que|por qué|onde|quanto|quem|cuándo|dónde|quién|cómo)\b"
)

INSTRUCTION = (
    r"^(?:please|pls|kindly|always|never|don't|do not|make sure|be sure|ensure|from now on|going forward"
    r"|in (?:the )?future|you (?:must|should|need to|have to)"
    r"|let's|remember to|stop|call me|ignore|disregard|forget|keep|avoid|use|write|reply|respond|answer|send|give|show|list"
    r"|create|make|add|remove|delete|update|change|set|find|check|book|cancel|schedule|remind|summari[sz]e|translate"
    r"|explain|describe"
    r"|tell|help|run|open|read|fix|format|include|exclude|provide|generate|draft|transfer|pretend|act|record|note|save"
    r"|store|take|put|go|try|return|call|do|mention|say|speak|talk|address|treat|recommend|suggest|compare|look|search"
    r"|get|turn|start|review|test|convert|print)\b(?! (?:is|are|was|were|has|had|of)\b)"
)
OTHER_INSTRUCTIONS = (
    r"^(?:bitte|immer|niemals|ab jetzt|vergiss|merk dir|s'il (?:te|vous) plaît|veuillez|toujours|ne .{1,20} jamais"
    r"|por favor|siempre|nunca"
    r"|sempre|per favore|пожалуйста|всегда|никогда|من فضلك|دائما|لا تنس|कृपया|हमेशा)(?!\w)|^(?:请|請|总是|永远不要|不要"
    r"|以后)|(?:ください"
    r"|下さい|お願いします)[。.]?$"
    r"|(?:세요|십시오|해줘|해 줘)[.]?$|\b(?:bitte|s'il (?:te|vous) plaît|por favor|per favore)[.!]?$"
)

DECISION = (
    r"\b(?:decided|decide on|settled on|opted (?:for|to)|chose|have chosen|picked|agreed (?:to|on|that)|final decision"
    r"|the decision (?:is|was)"
    r"|decision:|(?:going|gone|went|go) with|we(?:'ll| will) (?:use|adopt|switch to|migrate to|stick with)"
    r"|made up my mind|concluded that we|resolved to)\b"
)
OTHER_DECISIONS = (
    r"决定|決定|选定|選定|决心|決めた|決めました|することにした|することにしました|결정|정했|하기로 했"
    r"|\b(?:entschieden|entschlossen|beschlossen|entscheiden uns|décidé|ai choisi|avons choisi|avons opté|decidido"
    r"|decidimos|decidí|he decidido"
    r"|hemos decidido|optamos|decidi|escolhi|escolhemos|deciso|abbiamo scelto|ho scelto|решил|решила|решили|выбрали"
    r"|выбрал|выбрала)\b"
    r"|قررت|قررنا|قرّر|اخترنا|तय किया|फैसला|निर्णय"
)
COMMITMENT = (
    r"\b(?:(?:i|we)(?:'ll| will| shall)(?! (?:be\b|need|probably|maybe|never|not|always|have to|love|miss|see\b))"
    r"|i promise|we promise|you have my word|i commit|we commit|leave it (?:to|with) me|i(?:'ll| will) be (?:sending"
    r"|there|back)"
    r"|let me (?:check|get back|send|look into|follow up)|count on me)\b"
)
OTHER_COMMITMENTS = (
    r"我会|我會|我们会|我来|我保证|必ず.{0,20}(?:ます|する)|お送りします|할게요|하겠습니다|드리겠습니다"
    r"|\b(?:ich werde|wir werden|ich schicke|versprochen|je vais (?:te|vous)|je (?:te|vous) promets|j'enverrai"
    r"|te (?:envío|mando|enviaré)|prometo|te lo prometo|vou te"
    r"|vou enviar|prometto|ti mando|lo farò|я (?:сделаю|пришлю|отправлю|обещаю)|обещаю)\b|سأرسل|سوف أ|أعدك"
    r"|मैं .{0,30}(?:भेजूंगा|भेजूँगा|करूंगा|करूँगा)"
)
PREFERENCE = (
    r"\b(?:(?:i|we|he|she|they|\w+)(?: really| absolutely| just| also| still| do| don't| do not| never| always"
    r"| no longer){0,2} (?:like|likes|love|loves|prefer|prefers|hate|hates|dislike"
    r"|dislikes|enjoy|enjoys|adore|adores|despise|loathe|detest)|favou?rite|can't stand|cannot stand|not a fan|(?:a "
    r"|big |huge )fan of|i'd rather|i would rather"
    r"|i'm (?:really )?into|fond of|allergic to|obsessed with)\b"
)
OTHER_PREFERENCES = (
    r"喜欢|喜歡|讨厌|更喜欢|最爱|偏好|好きです|好き|嫌い|が好き|좋아|싫어|선호|\b(?:ich mag|mag (?:ich|keine?)"
    r"|bevorzuge|hasse|lieblings\w+|gerne?"
    r"|j'aime|j'adore|je préfère"
    r"|je déteste|préféré|me gusta|me gustan|me encanta|prefiero|odio|favorito|gosto|adoro|prefiro|preferito|mi piace"
    r"|mi piacciono|preferisco|люблю|нравится|предпочитаю|ненавижу)\b"
    r"|أحب|أفضل|أكره|पसंद|नफ़रत"
)
EVENT = (
    r"\b(?:yesterday|last (?:night|week|month|year|\w+day|summer|winter|spring|fall|autumn)|\w+ ago|this morning"
    r"|just (?:got|moved|bought|started|finished|returned|came|went|had)"
    r"|went|visited|attended|met|moved|bought|married|graduated|happened|was born|passed away|died|joined|quit|hired"
    r"|fired|launched|signed|travell?ed|celebrated"
    r"|adopted|gave birth|got (?:married|engaged|promoted|divorced|fired|sick|hired|a)|started|finished|arrived|left"
    r"|won|lost|broke|booked|cancel+ed|shipped|deployed|released)\b"
)
OTHER_EVENTS = (
    r"昨天|上周|上个月|去年|昨日|先週|先月|어제|지난주|지난달|작년|搬到|引っ越し|이사|\b(?:gestern"
    r"|letzte[nrsm]? (?:woche|monat|jahr)|hier soir|hier"
    r"|la semaine dernière|le mois dernier"
    r"|ayer|la semana pasada|el mes pasado|ontem|na semana passada|ieri|la settimana scorsa|вчера|на прошлой неделе"
    r"|в прошлом году)\b|أمس|الأسبوع الماضي|कल|पिछले"
)
OPINION = (
    r"\b(?:i (?:think|believe|feel|guess|suppose|reckon|find|bet)|in my (?:opinion|view)|imo|imho|if you ask me"
    r"|seems?(?: to be| like)?|sounds? (?:like|great|good|amazing|fun|awesome|wonderful|nice|lovely)"
    r"|looks? (?:like|great|good|amazing|awesome|nice|lovely))\b"
    r"|^(?:that|this|it|what)(?:'s| is| was| a| an)\b(?: such| so| really| a| an| very| pretty"
    r"| absolutely){0,3} (?:great|good|awesome|amazing|cool|nice|wonderful|lovely|fantastic|terrible|awful|bad|sad"
    r"|interesting|impressive|beautiful|fun|true|tough|hard)\b"
    r"|^(?:wow|how (?:cool|nice|lovely|sweet|awesome|wonderful|exciting)|congrat\w*|well done|good for you|i'm (?:so "
    r"|really )?(?:glad|happy|sorry) (?:to hear|for you|you))\b"
)

NEGATORS = (
    r"(?<!\w)(?:not|never|neither|hardly|barely|scarcely|cannot|nobody|nothing|none|nowhere|no longer|no one|no more|without"
    r"|\w+n't|(?:do|does|did|is|was|wo|ca|have|has|are|were|could|would|should)nt|ain't|no(?= [a-z]))(?!\w)"
)
NOT_NEGATORS = (
    r"(?:not (?:only|just|to mention|bad)|no (?:problem|doubt|worries|wonder|matter|big deal)|can't (?:wait|complain)"
    r"|couldn't agree more"
    r"|why (?:not|don't)|don't (?:worry|forget|you)|(?:isn't|aren't|don't|doesn't|wasn't|won't) (?:it|you|they|he|she"
    r"|we|i)\?|whether or not|or not|if not|nothing but|^no(?=[,. ] ?i\b))"
)
OTHER_NEGATORS = (
    r"(?:不(?!错|过|同|仅|断)|没有|没|別|别(?!人)|未(?!来)|ない(?!と)|ません|なかった|않|못|안 )|(?<!\w)(?:nicht"
    r"|kein\w*|nie|niemals|nichts"
    r"|ne .{1,20} (?:pas|plus|jamais|rien)|n'\w+ (?:pas|plus|jamais)"
    r"|nunca|jamás|nada|ninguno|ya no|não|nem|non|mai|niente|не|нет|никогда|ничего|больше не|नहीं|मत|कभी नहीं|لا|لم|لن"
    r"|ليس|ليست|ما عاد)(?!\w)|(?<!\w)no (?=\w)"
)
NEGATION_HINTS = (
    *("no", "n't", "nt", "nev", "nei", "hardly", "barely", "scarcely", "without"),
    *("kein", "nich", "nie", "nunca", "ne ", "non", "mai", "nada"),
)
"""One of these is in every denial that is written in ASCII."""
BEFORE_MAIN = r"(?:if|when|because|since|although|though|while|after|before|as|unless)\b"
SUBORDINATE = (
    r"[,;:—]| (?:because|since|so that|so|but|although|though|which|who|while|whereas|when|if|unless|and|until|where|as)\b"
)

IRREAL = (
    r"\b(?:if (?:i|we|you|he|she|they|it) (?:were|was|had|could|would|did|won|ever)|if only|what if|hypothetically"
    r"|imagine|suppose|supposing|let's (?:say|assume|pretend)"
    r"|pretend (?:that|i|we|you)|in theory|for the sake of argument|would have|could have|might have|should have"
    r"|would've|could've|should've|in another life)\b|^say (?:i|we|you)\b"
    r"|假设|假如|如果我是|もし.{0,20}(?:たら|なら)|만약|\b(?:angenommen|stell dir vor|wäre ich|wenn ich .{1,30} wäre"
    r"|si j'étais"
    r"|imaginons|supposons|si yo fuera|supongamos|se eu fosse"
    r"|suponha|se fossi|supponiamo|представь|предположим|если бы)\b|لو كنت|افترض|मान लो|अगर मैं .{0,30} होता"
)
CONDITIONAL = (
    r"\b(?:unless|in case|provided that|as long as|otherwise)\b|^if\b"
    r"|(?<!even)(?<!know)(?<!ask)(?<!see)(?<!wonder)(?<!sure)(?<!check)(?<!asked) if (?:i|we|you|he|she|it|they|the|my"
    r"|there|that)\b|\bwould\b|\b(?:i|we|he|she|they|you|it)'d (?!better|like|love|rather|prefer|been|had|already|just)"
)
WISHED = (
    r"\b(?:wish(?:es)?|hope|hopes|hoping|want(?:s)? to|wanna|would (?:like|love)|'d (?:like|love)|dream(?:s|ing)? of"
    r"|i'd prefer|if only)\b"
    r"|希望|想要|我想|たいです|たい[。.]?$|싶어|싶습니다|\b(?:ich möchte|ich würde gerne|hoffe|j'aimerais|je voudrais"
    r"|j'espère|me gustaría"
    r"|quisiera|ojalá|espero|gostaria|queria|vorrei|mi piacerebbe"
    r"|spero|хочу|хотел бы|хотела бы|надеюсь)\b|أريد|أتمنى|آمل|चाहता|चाहती|काश"
)
POSSIBLE = (
    r"\b(?:might|could|maybe|perhaps|possibly|probably|not sure|unsure|thinking (?:about|of)|considering|i guess|likely"
    r"|presumably|apparently|i may|we may|he may|she may|they may|it may|may be|may have)\b"
    r"|可能|也许|大概|或许|かもしれ|たぶん|多分|아마|수도 있|\b(?:vielleicht|möglicherweise|wahrscheinlich|könnte"
    r"|peut-être|probablement"
    r"|pourrait|quizás?|tal vez|a lo mejor|probablemente|podría"
    r"|talvez|provavelmente|poderia|forse|magari|probabilmente|potrebbe|может быть|возможно|наверное|вероятно)\b|ربما"
    r"|قد |शायद"
)
PLANNED = (
    r"\b(?:going to (?!the\b|a\b|an\b|my\b|our\b)|gonna|plan(?:s|ning|ned)? (?:to|on)|will|won't|shall|intend(?:s"
    r"|ing)? to|about to|scheduled (?:to|for)|looking forward|can't wait)\b|'ll\b"
    r"|\b(?:i'm|i am|we're|we are|he's|she's|they're|is|are) \w+ing\b.{0,60}\b(?:tomorrow|tonight|next|soon|later"
    r"|this (?:weekend|summer|winter|fall|spring))\b"
    r"|打算|计划|将要|准备|明天|下周|下个月|つもり|予定|할 예정|계획|\b(?:werde|wird|werden|habe vor|plane|je vais"
    r"|nous allons|je compte|voy a"
    r"|vamos a|pienso|vou|pretendo|intendo|собираюсь|планирую|буду)\b"
    r"|سوف|سأ|أخطط|योजना|जा रहा हूँ"
)
