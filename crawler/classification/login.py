"""Tell a login wall from a page with a login box beside its content."""

import re
from urllib.parse import urlsplit

from crawler.classification import sign_on
from crawler.classification.page import FetchedPage
from crawler.classification.signature import find_verdict, is_suspect
from crawler.contracts.outcome import Kind, Reason, Verdict

MOST_WORDS = 250
"""A page with more to read needs every sign there is."""
FEW_WORDS = 90
"""A page with more may have the login box of its site beside what it says."""
SEARCHED = 512 * 1024
_PASSWORD = re.compile(rb"""<input\b[^>]{0,2000}\btype\s*=\s*["']?password\b""", re.IGNORECASE)
_SIGN_IN = (
    r"(your )?session (has )?(expired|timed out).*|"
    r"(please )?(sign|log)[ -]?(in|on)( required)?|(user |member |account "
    r"|customer |admin |secure )?"
    r"(login|sign[ -]?in)( page| form| required| here)?|(authentication|"
    r"login|sign[ -]?in) required|"
    r"(please )?(sign|log) ?in (to continue|first|below)|you (must|need "
    r"to|have to) (be logged|log|sign) ?in.*|"
    r"(bitte )?(anmelden|einloggen|melden sie sich an)|anmeldung|anmeldung erforderlich|connexion|"
    r"se connecter|connectez-vous|identifiez-vous|authentification|iniciar? "
    r"sesi[óo]n|inicie sesi[óo]n|acceso|"
    r"identif[íi]quese|accedi|accesso|effettua l'accesso|entrar|fazer login|iniciar sess[ãa]o|"
    r"inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu(?: sisään)?|"
    r"zaloguj(?: si[ęe])?|logowanie|"
    r"p[řr]ihl[áa][šs]en[íi]|p[řr]ihl[áa]sit se|bejelentkez[ée]s|autentificare|"
    r"conectare|вход( в систему)?|"
    r"prihl[áa]senie|prihl[áa]si[ťt](?: sa)?|prijava|prijavi(?: se)?|вписване|"
    r"inicia la sessi[óo]|inicia sessi[óo]|prisijungt?i|prisijungimas|ieiet|logi sisse|sisselogimine|"
    r"เข้าสู่ระบบ|ลงชื่อเข้าใช้|ورود(?: به .*)?|लॉग ?इन|saioa hasi|пријава|"
    r"(?:bei .* |in .* )?(?:anmelden|einloggen)|(?:log|sign) ?into\b.*|"
    r"(?:site |page |area )?(?:is )?password[- ](?:protected|required)(?: (?:page|site|area))?|"
    r"(?:enter (?:the |your )?|this site is )password.*|protected (?:page|area|content|site)|"
    r"opening soon|central authentication service|enter your username and password|"
    r"войти|авторизация|увійти|вхід|giri[şs]( yap)?|oturum a[çc]|σύνδεση|"
    r"είσοδος|התחברות|تسجيل الدخول|"
    r"ログイン|サインイン|登录|登入|登錄|用户登录|로그인|[đd][ăa]ng nh[ậa]p|masuk|log masuk"
)
_SEGMENT = re.compile(
    rf"((?!how|why|what|when|where)(\S+ ){{0,3}}\S*login|{_SIGN_IN})(\s+(to|"
    rf"with|at|bei|sur|en|a|al|à|in|into|using|con|na|no|op|på)\b.*)?"
)
_FORGOTTEN = re.compile(
    r"(?:forgot(?:ten)?|lost|reset) (?:your |my |the )?(?:user ?name or "
    r")?(?:password|login)|passwort vergessen|"
    r"mot de passe (?:oubli|perdu)|contrase[ñn]a|password dimenticata|wachtwoord vergeten|"
    r"has oblidat|lupa (?:kata sandi|password)|qu[êe]n m[ậa]t kh[ẩa]u|zabudli ste|zapomn[ěe]li jste|"
    r"zaboravljena|elfelejtett|ai uitat|unohditko|glemt|nie pami[ęe]tasz|забули пароль|"
    r"забравена парола|ξεχάσατε|ลืมรหัสผ่าน|نسيت كلمة|שכחת סיסמ|رمز عبور را فراموش|"
    r"esquec\w+ (?:a |sua |minha )?senha|забыли пароль|zapomnia[łl]|gl[öo]mt l[öo]senord|"
    r"şifremi unuttum|忘记密码|忘記密碼|パスワードを忘れ|비밀번호 찾기|please log ?(?:in|on)\b"
)
_PATH = re.compile(
    r"/(user/|users/|account/|accounts/|wp-)?(log-?in|sign-?in|log-?on|"
    r"sign-?on|sso|authenticate|auth|"
    r"authorize|cas/login|connexion|anmelden|login_form|authwall|adfs/ls|u/login/\w+|"
    r"signin/identifier|openid-connect/auth|saml2/redirect/sso|password)(\.\w{2,5})?(/|$)|"
    r"/(user|account|my-account|mein-konto|mon-compte|mi-cuenta)(\.\w{2,5})?/?$",
    re.IGNORECASE,
)
_SIGN_IN_PATH = re.compile(
    r"/(wp-)?((log|sign)[-_]?(in|on)|login_form|authwall)"
    r"(\.\w{2,5})?(/|$)|"
    r"/(sso|authenticate|auth|authorize|connexion|anmelden|adfs/ls)(\.\w{2,5})?/?$",
    re.IGNORECASE,
)
_QUERY = re.compile(
    r"(^|[&;?])(section|content|action|act|do|mode|page|view|task|cmd|"
    r"option)=(com_)?(user_?)?(log-?in|sign-?in)\b",
    re.IGNORECASE,
)


def find_login(page: FetchedPage) -> Verdict | None:
    """Return the verdict on a page whose only business is to let a user in, or None."""
    if not (is_suspect(page) or _is_login_address(page.url)):
        return None
    signs = _find_signs(page)
    is_alone = page.word_count <= MOST_WORDS
    if len(signs) < (2 if is_alone else 3):
        return find_verdict(page, sign_on.SIGNS)
    return Verdict(Kind.LOGIN, Reason.AUTHORIZATION_REVIEW, signs)


def _find_signs(page: FetchedPage) -> tuple[str, ...]:
    has_password = _has_password(page)
    signs = {
        "password field": has_password,
        "title asks to sign in": any(map(_SEGMENT.fullmatch, page.headlines)),
        "address of a login page": _is_login_address(page.url),
        "help with a forgotten password": has_password
        and page.word_count <= FEW_WORDS
        and _FORGOTTEN.search(page.text) is not None,
    }
    return tuple(sign for sign, is_seen in signs.items() if is_seen)


def is_sign_in_address(url: str) -> bool:
    """Tell whether *url* names a page to sign in on and nothing else: whoever is sent there without
    having asked for it is to sign in, whatever the page shows.
    """
    parts = urlsplit(url)
    return _SIGN_IN_PATH.search(parts.path) is not None or _QUERY.search(parts.query) is not None


def _is_login_address(url: str) -> bool:
    """Tell whether *url* may name such a page: an account's has content for who is signed in."""
    parts = urlsplit(url)
    return _PATH.search(parts.path) is not None or _QUERY.search(parts.query) is not None


def _has_password(page: FetchedPage) -> bool:
    """Forms of large login pages may be far below; their addresses make the search worth while."""
    if b"password" in page.window:
        return _PASSWORD.search(page.window) is not None
    return _is_login_address(page.url) and _PASSWORD.search(page.body, 0, SEARCHED) is not None
