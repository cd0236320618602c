"""Words and formats that the detectors look for, apart from the rules that use them.

Rule of this file: constants only. A new provider's key, a country's account length or a language's word for "password" goes here.
"""

from __future__ import annotations

TOKENS = (
    r"sk-(?:proj-|ant-|or-v1-|svcacct-|admin-|lf-)?[A-Za-z0-9_-]{20,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"gl(?:pat|dt|rt|ptt|cbt|soat|ft)-[A-Za-z0-9_-]{16,}",
    r"xox[abdeoprs]-[A-Za-z0-9-]{10,}",
    r"xapp-\d-[A-Za-z0-9-]{16,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    r"AIza[A-Za-z0-9_-]{30,}",
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"GOCSPX-[A-Za-z0-9_-]{20,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
    r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9+/=]{20,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{50,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"gsk_[A-Za-z0-9]{30,}",
    r"r8_[A-Za-z0-9]{30,}",
    r"pplx-[A-Za-z0-9]{30,}",
    r"xai-[A-Za-z0-9]{40,}",
    r"tvly-[A-Za-z0-9-]{20,}",
    r"do[opr]_v1_[a-f0-9]{40,}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}",
    r"SK[a-f0-9]{32}",
    r"key-[a-z0-9]{32}",
    r"dapi[a-f0-9]{32}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}",
    r"lin_api_[A-Za-z0-9]{30,}",
    r"ntn_[A-Za-z0-9]{30,}",
    r"secret_[A-Za-z0-9]{40,}",
    r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}",
    r"NRAK-[A-Z0-9]{20,}",
    r"gl(?:c|sa)_[A-Za-z0-9_=-]{30,}",
    r"sntry[su]_[A-Za-z0-9+/=_-]{30,}",
    r"rubygems_[a-f0-9]{40,}",
    r"dp\.(?:pt|st|ct)\.[A-Za-z0-9.]{30,}",
    r"ATATT3[A-Za-z0-9_=-]{50,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{50,}",
    r"\d{8,10}:[A-Za-z0-9_-]{35}",
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
)
"""Keys and tokens that say by their first letters whose they are."""

TOKEN_HINTS = (
    "sk-", "sk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glptt-",
    "glcbt-", "glsoat-", "glft-", "xox", "xapp-", "akia", "asia", "abia", "acca", "aiza", "ya29.", "gocspx-", "eyj", "whsec_",
    "sg.", "npm_", "pypi-", "hf_", "gsk_", "r8_", "pplx-", "xai-", "tvly-", "_v1_", "shp", "sk", "key-", "dapi", "hvs.",
    "hvb.", "hvr.", "lin_api_", "ntn_", "secret_", "sq0", "nrak-", "glc_", "glsa_", "sntry", "rubygems_", "dp.", "atatt3",
    "age-secret", ":", ".",
)  # fmt: skip
"""One of these is in every text that holds one of `TOKENS`, in small letters."""

PASSWORDS = (
    "wpa2 key", "wpa key", "wifi key", "wi-fi key",
    "password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "passord", "pwd", "pass phrase", "mot de passe",
    "mdp", "contraseña", "contrasena", "senha", "palavra-passe", "wachtwoord", "parola d'ordine", "lösenord", "adgangskode",
    "salasana", "hasło", "haslo", "heslo", "jelszó", "şifre", "sifre", "parola", "пароль", "пароля", "κωδικός", "密码", "密碼",
    "口令", "パスワード", "비밀번호", "암호", "كلمة المرور", "كلمة السر", "סיסמה", "पासवर्ड", "mật khẩu", "kata sandi", "รหัสผ่าน",
)  # fmt: skip
PINS = (
    "door code", "gate code", "alarm code", "entry code", "lock code", "pin code", "pin", "pin number", "cvv", "cvc",
    "security code", "unlock code", "otp", "otp code", "one-time code", "one time code", "tan", "verification code", "login code",
    "sign-in code", "2fa code", "mfa code", "auth code", "authentication code", "sms code", "cvv2", "cvc2",
)  # fmt: skip
CARD_PINS = frozenset({"cvv", "cvc", "cvv2", "cvc2"})
"""Names of the three or four digits on the back of a card."""
PASSPHRASES = ("passphrase", "pass phrase", "pass-phrase")
SEEDS = (
    "seed phrase", "recovery phrase", "recovery words", "seed words", "backup phrase", "secret phrase", "mnemonic",
    "mnemonic phrase", "wallet seed", "secret recovery phrase",
)  # fmt: skip
"""Names of the row of words that opens a wallet."""
JOINING = frozenset((
    "the", "and", "are", "was", "were", "for", "your", "our", "his", "her", "its", "their", "with", "from", "which", "must",
    "should", "shall", "could", "would", "have", "has", "had", "been", "being", "but", "not", "nor", "too", "because", "very",
    "these", "those", "who", "whom", "how", "why", "while", "than", "them", "she", "him", "cannot", "may", "might", "does",
    "did", "never", "always", "onto", "each", "some", "here", "using", "different", "required", "incorrect", "missing", "stored",
    "kept", "please",
))  # fmt: skip
"""Words that join a sentence and are in no list of words for seed phrases."""
NAMED_KEYS = (
    "api key", "apikey", "api-key", "api_key", "access key", "access-key", "access_key", "accesskey", "secret key", "secret-key",
    "secret_key", "secretkey", "private key", "private_key", "privatekey", "signing key", "signing_key", "encryption key",
    "encryption_key", "account key", "account_key", "accountkey", "auth token", "auth_token", "authtoken", "access token",
    "access_token", "accesstoken", "refresh token", "refresh_token", "refreshtoken", "id_token", "bot token", "bot_token",
    "session token", "session_token", "sessionid", "session_id", "csrftoken", "client secret", "client_secret", "clientsecret",
    "client-secret", "webhook secret", "webhook_secret", "app secret", "app_secret", "shared secret", "recovery key", "secret",
    "token", "credential", "credentials", "clé api", "clé d'api", "clave de api", "clave api", "chave de api", "chiave api",
    "api-schlüssel", "schlüssel", "密钥", "令牌", "apiキー", "токен", "ключ api",
)  # fmt: skip
IS = (
    "is", "was", "are", "will be", "is now", "is still", "is set to", "was set to", "was changed to", "is changed to",
    "has been changed to", "has been set to", "was updated to", "updated to", "was reset to", "is currently", "set to",
    "changed to", "reset to", "equals", "ist", "lautet", "ist jetzt", "est", "es", "é", "è", "e'", "sarà", "är", "er", "to",
    "jest", "je", "это", "είναι", "是", "为", "為", "は", "는", "은", "هي", "هو", "है", "là", "adalah", "คือ",
)  # fmt: skip
"""Copulas between the word and the value."""

FOR = (
    "for", "to", "of", "on", "at", "from", "in", "für", "zum", "vom", "von", "pour", "du", "de", "del", "para", "do", "da",
    "per", "voor", "van", "til", "för", "od", "dla", "от", "для",
)  # fmt: skip

STATES = frozenset((
    "obrigatória", "obrigatorio", "obligatoria", "vacía", "vazia", "vuota", "leeg", "vergessen", "oublié", "olvidada",
    "wrong", "incorrect", "correct", "right", "required", "optional", "invalid", "valid", "weak", "strong", "missing", "empty",
    "blank", "too", "not", "now", "never", "always", "the", "a", "an", "same", "different", "secret", "safe", "secure",
    "unique", "shared", "known", "unknown", "visible", "hidden", "private", "public", "gone", "lost", "ok", "okay", "fine",
    "good", "bad", "old", "new", "long", "short", "there", "here", "it", "that", "this", "what", "your", "my", "our", "his",
    "her", "their", "mine", "yours", "in", "on", "at", "for", "from", "by", "with", "when", "where", "how", "why", "who", "no",
    "yes", "none", "null", "nil", "true", "false", "undefined", "string", "str", "text", "int", "integer", "number", "boolean",
    "bool", "varchar", "bytes", "input", "field", "hash", "algorithm", "manager", "reset", "policy", "rotation", "sensitive",
    "case-sensitive", "mandatory", "fake", "unchanged", "available", "unavailable", "and", "or", "but", "if", "as", "so",
    "also", "still", "just", "only", "very", "really", "being", "been", "be", "to", "of", "up", "out", "set", "kept", "stored",
    "hashed", "encrypted", "salted", "sent", "default", "falsch", "richtig", "leer", "pflicht", "erforderlich", "incorrecta",
    "correcta", "obligatoria", "requis", "obligatoire", "faux", "errata", "sbagliata",
))  # fmt: skip
"""What is said of passwords and is none."""

PLACEHOLDERS = (
    "your", "xxxx", "placeholder", "redacted", "changeme", "change-me", "change_me", "<", "…", "...", "***", "•••",
    "dummy", "insert", "replace", "todo", "env.", "process.env", "import.meta", "os.environ", "getenv", "secrets.", "vault:",
    "config.", "settings.", "self.", "this.", "params.", "props.", "${", "$(", "{{", "%(", "{%", "#{", "ssm:", "arn:",
    "op://", "keyring",
)  # fmt: skip
"""A value that holds one of these stands for a secret and is none."""

HARMLESS_ENDINGS = (
    "_file", "_path", "_field", "_name", "_url", "_uri", "_length", "_len", "_policy", "_hint", "_type", "_count", "_limit",
    "_expiry", "_expires", "_ttl", "_min", "_max", "_column", "_input", "_label", "_reset", "_class", "_prefix", "_header",
    "_env", "-file", "-path", "-field", "-name", "-url", "-length", "-policy", "-hint", "-type", "-count", "-limit", "-reset",
    "-input", "count", "limit", "length", "less", "field", "hint", "manager", "izer", "ise", "ize", "ized", "ised", "reset",
    "label", "ary",
)  # fmt: skip
"""Names that go on like this (password_file, tokenizer, secretary) speak of something else."""

CARD_WORDS = ("card", "visa", "mastercard", "amex", "american express", "credit", "debit", "karte", "carte", "tarjeta", "cartão",
              "carta", "kaart", "pan", "карта", "卡", "カード")  # fmt: skip
ORDER_WORDS = (
    "order", "invoice", "tracking", "ticket", "reference", "ref", "isbn", "imei", "serial", "timestamp", "epoch", "sku",
    "shipment", "parcel", "case", "issue", "commit", "build", "id", "uuid", "barcode", "ean", "upc", "gtin", "bestellung",
    "rechnung", "pedido", "commande", "ordine", "订单", "snowflake", "tweet", "message", "row", "seed", "hash", "model", "part",
    "version", "phone", "tel",
)  # fmt: skip
"""Words before a long number which say that it is no card."""

IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27,
    "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27,
    "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25,
    "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23,
    "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip

PHONE_WORDS = (
    "phone", "telephone", "tel", "mobile", "cell", "cellphone", "call", "called", "calling", "whatsapp", "text", "sms",
    "ring", "fax", "reach me", "reach him", "reach her", "dial", "hotline", "callback", "my number is", "telefon", "handy",
    "mobil", "rufnummer", "anrufen", "téléphone", "portable", "appelez", "teléfono", "móvil", "llama", "llámame", "celular",
    "telefone", "telemóvel", "telefono", "cellulare", "chiama", "telefoon", "mobiel", "bel", "телефон", "тел", "电话", "手机",
    "電話", "携帯", "전화", "هاتف", "telefonu",
)  # fmt: skip
VERSION_WORDS = (
    "v",
    "version",
    "release",
    "build",
    "firmware",
    "section",
    "chapter",
    "upgrade to",
    "clause",
    "driver",
    "oid",
    "ver",
)
BIRTH_WORDS = (
    "born", "born on", "date of birth", "birth date", "birthdate", "dob", "d.o.b.", "birthday", "geboren", "geboren am",
    "geburtsdatum", "geburtstag", "né le", "née le", "date de naissance", "nacido", "nacida", "nací", "fecha de nacimiento",
    "nascido", "nascida", "data de nascimento", "nato il", "nata il", "data di nascita", "geboren op", "geboortedatum",
    "urodzony", "data urodzenia", "родился", "родилась", "дата рождения", "出生", "生年月日", "생년월일", "تاريخ الميلاد",
)  # fmt: skip
MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "januar", "februar", "märz", "mai",
    "juni", "juli", "okt", "dez", "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
    "noviembre", "diciembre", "janeiro", "fevereiro", "março", "maio", "junho", "julho", "setembro", "outubro", "novembro",
    "dezembro", "gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre", "января",
    "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
STREETS = ("Street", "St", "Avenue", "Ave", "Road", "Rd", "Lane", "Ln", "Drive", "Dr", "Boulevard", "Blvd", "Court", "Ct", "Way",
           "Place", "Pl", "Terrace", "Crescent", "Close", "Parkway", "Pkwy", "Highway", "Hwy", "Square", "Sq", "Gardens", "Grove",
           "Mews", "Row", "Circle", "Cir", "Trail", "Alley", "Quay")  # fmt: skip
STREETS_BEFORE = (
    "rue", "avenue", "boulevard", "place", "chemin", "allée", "impasse", "quai", "calle", "avenida", "plaza", "paseo",
    "carrer", "via", "viale", "piazza", "corso", "rua", "travessa", "praça", "ul.", "ulica", "улица", "ул.",
)  # fmt: skip
STREETS_WITHIN = (
    "straße", "strasse", "str.", "weg", "gasse", "platz", "allee", "ufer", "straat", "laan", "plein",
    "gracht", "kade", "gatan", "vägen", "veien", "gata", "vej", "gade", "katu",
)  # fmt: skip
