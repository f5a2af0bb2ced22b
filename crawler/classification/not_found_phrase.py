"""What pages that are not there say in other languages than English, as patterns; lower-case."""
# ruff: noqa: RUF001 - letters and signs that look like Latin ones are meant

ABROAD = {
    "de": (
        r"(?:(?:es tut uns leid|entschuldigung|leider|hoppla|ups)[,.! :-]*)?(?:konnte )?"
        r"(?:die |diese |der |dieser |das |dieses |ihre )?(?:von ihnen )?(?:angeforderte |gesuchte "
        r"|gew[üu]nschte |aufgerufene )?(?:seite|datei|artikel|produkt|stellenanzeige|stelle|"
        r"anzeige|angebot|inhalt|veranstaltung)(?:,? die (?:sie|du) such\w+,?)? (?:\w+ )?"
        r"(?:wurde |konnte |ist |existiert )?"
        r"(?:leider )?(?:nicht (?:gefunden(?: werden)?|(?:mehr )?verf[üu]gbar|"
        r"vorhanden|mehr vorhanden|mehr online)|nicht(?: mehr)?)(?: \w+)?"
    ),
    "fr": (
        r"(?:d[ée]sol[ée]e?,? )?(?:oups[,!]? ?)?(?:cette |la |votre |ce |cet |le )?(?:page|annonce|"
        r"offre|article|produit|contenu)(?: que vous .{0,30})? (?:demand[ée]e? )?(?:est )?"
        r"(?:introuvable|non trouv[ée]e?|n'existe (?:pas|plus)(?: ou .{0,40})?|"
        r"n'a pas [ée]t[ée] trouv[ée]e?|n'a pas pu [êe]tre trouv[ée]e?|inexistante?|"
        r"(?:n'est )?plus disponible|a [ée]t[ée] supprim[ée]e?)"
    ),
    "es": (
        r"(?:lo sentimos,? )?(?:la |esta |este |el )?(?:p[áa]gina|oferta|producto|anuncio|art[íi]culo|"
        r"contenido)(?: solicitad[oa])?(?: que .{0,30})? (?:ya )?no (?:fue |ha "
        r"sido |se ha |se |est[áa] )?(?:encontrad[oa]|encuentra|existe|disponible)|"
        r"no (?:encontramos|se (?:ha )?(?:encontrado|encontr[óo])) (?:la|esta) p[áa]gina"
    ),
    "ca": r"(?:la )?p[àa]gina (?:que .{0,30} )?no (?:s'ha )?(?:trobada?|existeix)",
    "gl-eu": (
        r"p[áa]xina non atopada|ez da orria aurkitu|orria ez da aurkitu|"
        r"(?:bilatzen ari zaren )?orria ez da existitzen"
    ),
    "it": (
        r"(?:(?:siamo spiacenti|spiacenti|ops)[,!]? )?(?:la |questa |questo |il )?(?:pagina|prodotto|"
        r"annuncio|articolo|offerta|contenuto)(?: richiest[oa])?(?: che .{0,30})? non (?:[èe] (?:stat[oa] "
        r"|pi[ùu] )?)?(?:trovat[oa]|esiste(?: pi[ùu])?|disponibile)"
    ),
    "pt": (
        r"(?:desculpe,? )?(?:a |esta |este |o )?(?:p[áa]gina|produto|an[úu]ncio|vaga|conte[úu]do)"
        r"(?: que .{0,30})? n[ãa]o (?:foi |est[áa] (?:mais )?)?(?:encontrad[oa]|"
        r"existe(?: mais)?|dispon[íi]vel|localizad[oa])"
    ),
    "nl": (
        r"(?:(?:sorry|helaas|oeps)[,!]? )?(?:de |deze |dit |het )?(?:opgevraagde )?(?:pagina|product|"
        r"vacature|artikel|advertentie)(?: die (?:u|je) .{0,30})? (?:is |kan |werd |bestaat )?"
        r"(?:niet (?:gevonden(?: worden)?|(?:meer )?beschikbaar)|(?:bestaat )?niet(?: meer)?)"
    ),
    "sv": (
        r"(?:sidan|sida|annonsen|denna annons)(?: (?:som )?du (?:s[öo]ker|letar efter))? (?:kunde inte |kan "
        r"inte )?(?:inte )?(?:hittades(?: inte)?|hittas|finns inte.{0,20}|[äa]r inte l[äa]ngre .{0,20})"
    ),
    "da-no": (
        r"(?:siden|side|annoncen|annonsen)(?: (?:som )?du (?:leder|leter|s[øo]ger) efter| du leter etter)? "
        r"(?:ble |blev |kunne |findes |finnes |eksisterer |er )?ikke(?: "
        r"blive| l[æa]ngere)?(?: fundet| funnet| tilg[æa]ngelig)?|(?:vi )?fant ikke siden.{0,30}"
    ),
    "fi": r"(?:etsim[äa][äa]?si |hakemaasi )?sivua ei (?:l[öo]ydy|l[öo]ytynyt|ole)",
    "is": r"s[íi][ðd]an fannst ekki",
    "et": r"(?:otsitud )?lehte ei leitud|lehek[üu]lge ei leitud",
    "lv": r"(?:mekl[ēe]t[āa] )?lapa (?:nav atrasta|neeksist[ēe])",
    "lt": r"(?:ie[šs]komas )?puslapis (?:nerastas|neegzistuoja)",
    "pl": (
        r"nie (?:znaleziono|mo[żz]na znale[źz][ćc]) (?:strony|podanej strony)|(?:podana |ta |szukana )?"
        r"strona(?:,? kt[óo]rej (?:szukasz|szukano),?)? (?:nie (?:istnieje|została (?:znaleziona|"
        r"odnaleziona))|o podanym adresie nie istnieje)|nie ma takiej strony|to og[łl]oszenie "
        r"(?:nie jest ju[żz]|jest nie) .{0,20}"
    ),
    "cs-sk": (
        r"(?:tato |po[žz]adovan[áa] )?str[áa]nk[au](?:,? kter[úo]u? hled[áa]te,?| ktor[úu] hľad[áa]te,?)?"
        r"(?: nebyla| nebola| sa nena[šs]la| neexistuje| nen[áa]jden[áa])(?: nalezena| n[áa]jden[áa])?|"
        r"str[áa]nka,? (?:kterou hled[áa]te|ktor[úu] hľad[áa]te),? neexistuje|str[áa]nka nenalezena"
    ),
    "hu": r"(?:az? )?(?:keresett )?oldal nem (?:tal[áa]lhat[óo]|l[ée]tezik)",
    "ro": (
        r"pagina(?: pe care o c[ăa]uta[țţt]i)? (?:nu (?:a fost g[ăa]sit[ăa]|exist[ăa])|neg[ăa]sit[ăa])"
    ),
    "hr-sr-sl": (
        r"(?:tra[žz]ena )?stranica (?:nije prona[đd]ena|ne postoji)|страница није пронађена|"
        r"(?:iskana )?stran (?:ni (?:bila )?najdena|ne obstaja)|strani ni (?:bilo )?mogo[čc]e najti"
    ),
    "el": r"η σελίδα(?: που .{0,20})? δεν (?:βρέθηκε|υπάρχει)",
    "tr": r"(?:arad[ıi][ğg][ıi]n[ıi]z )?(?:sayfa|ilan|[üu]r[üu]n) (?:bulunamad[ıi]|mevcut de[ğg]il)",
    "ru": (
        r"(?:запрашиваемая |такая |данная |эта )?страница (?:не (?:найдена|существует)|"
        r"удалена)|страницы не существует|такой страницы (?:нет|не существует)|"
        r"(?:товар|материал|вакансия|документ) не найден[ао]?|объявление (?:снято с публикации|"
        r"удалено|не найдено)|вакансия (?:закрыта|в архиве)"
    ),
    "uk": r"сторінк[уа] не (?:знайдено|знайдена|існує)|такої сторінки не існує",
    "bg": r"(?:търсената |тази )?страница(?:та)? не (?:е намерена|съществува|беше намерена)",
    "ja": (
        r"(?:お探しの|ご指定の|指定された|この)?(?:ページ|記事|商品)(?:が|は)?(?:見つかりません(?:でした)?|存在しません|"
        r"ございません|現在(?:お)?取り扱(?:って|い)(?:おり)?.{0,6})|ページが見つかりません"
    ),
    "zh": (
        r"(?:抱歉[，, ]*)?(?:[您你](?:访问|要找|请求|訪問|要找|查找)的)?(?:页面|頁面|网页|網頁|内容|商品|职位)"
        r"(?:不存在|未找到|找不到|没有找到|已(?:删除|不存在|下架|失效))(?:或已被?删除|或已被?刪除)?|"
        r"该(?:页面|商品|职位|内容)(?:不存在|已(?:删除|下架|失效|关闭))|"
        r"(?:未找到|找不到)(?:页面|頁面|网页|網頁)|404[，, ]*(?:页面|頁面).{0,8}"
    ),
    "ko": (
        r"(?:요청하신 )?페이지를 찾을 수 없습니다|존재하지 않는 페이지(?:입니다)?|"
        r"(?:요청하신 )?(?:작업을 수행할|페이지를 표시할) 수 없습니다"
    ),
    "ar": (
        r"(?:عذر[اً]*[،, ]*)?(?:الصفحة|صفحة)(?: التي .{0,20})? غير (?:موجودة|متاحة|متوفرة)|"
        r"لم يتم العثور على الصفحة"
    ),
    "fa": r"صفحه(?: مورد نظر(?: شما)?)? (?:پیدا|یافت) نشد",
    "he": r"(?:ה)?(?:דף|עמוד)(?: שחיפשת)? לא (?:נמצא|קיים)",
    "hi": r"(?:क्षमा करें,? )?(?:यह )?(?:पृष्ठ|पेज) (?:नहीं मिला|मौजूद नहीं है।?)",
    "th": r"(?:ขออภัย )?ไม่พบหน้า.{0,30}",
    "vi": (
        r"kh[ôo]ng t[ìi]m th[ấa]y trang(?: n[àa]y)?|trang(?: b[ạa]n .{0,20})? kh[ôo]ng t[ồo]n t[ạa]i"
    ),
    "id": r"(?:maaf,? )?halaman(?: yang anda .{0,20})? tidak (?:ditemukan|tersedia|ada)",
}
