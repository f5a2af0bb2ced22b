"""What pages say of the parts of a listing, lower-case."""

OF = (
    "of|out of|of about|von|sur|de|di|su|do|van|av|af|z|ze|iz|od|din|из|з|із|від|от|από|dari|"
    "trong|共|全|中"
)
"""Between where a reader is and how much there is."""
PAGE = (
    "page|pg|seite|pagina|página|pág|pàgina|strona|strana|stránka|stranica|sida|side|sivu|oldal|"
    "lehekülg|lapa|puslapis|страница|стр|сторінка|стор|σελίδα|sayfa|halaman|trang|صفحة|עמוד|หน้า"
)
LOAD_MORE = frozenset(
    word.strip()
    for line in """
    load more, load more results, load more posts, load more events, load more items,
    load more products, load more articles, load more news, load more jobs, load more stories,
    show more results, show more events, show more posts, show more jobs, show more products,
    show more articles, show more items, view more results, view more events, view more jobs,
    see more results, see more events, see more jobs, more results, more posts
    mehr laden, weitere laden, mehr ergebnisse, weitere ergebnisse, mehr ergebnisse anzeigen,
    weitere ergebnisse anzeigen, weitere ergebnisse laden, weitere anzeigen, weitere einträge laden,
    weitere veranstaltungen, weitere veranstaltungen laden, mehr veranstaltungen laden,
    weitere artikel laden, mehr artikel laden, weitere beiträge laden, mehr beiträge laden
    charger plus, charger plus de résultats, charger la suite, plus de résultats,
    afficher plus de résultats, voir plus de résultats, voir plus d'événements, charger plus d'articles
    cargar más, cargar más resultados, más resultados, mostrar más resultados, ver más resultados,
    cargar mas, mas resultados, carregar mais, carregar mais resultados, mais resultados,
    ver mais resultados, carrega'n més
    carica altri, carica altro, carica ancora, altri risultati, mostra altri risultati,
    carica altri risultati, meer laden, laad meer, meer resultaten, toon meer resultaten,
    laad meer resultaten
    visa fler, ladda fler, ladda in fler, hämta fler, visa fler resultat, vis flere, hent flere,
    indlæs flere, last flere, last inn flere, vis flere resultater, lataa lisää, näytä lisää tuloksia
    załaduj więcej, wczytaj więcej, pokaż więcej wyników, načíst další, načíst více, zobrazit další
    výsledky, načítať ďalšie, načítať viac, továbbiak betöltése, több betöltése, încarcă mai multe,
    učitaj još, naloži več, зареди още
    показать ещё, показать еще, загрузить ещё, загрузить еще, показати ще, завантажити ще,
    φόρτωση περισσότερων, daha fazla yükle, daha fazla sonuç, さらに読み込む, もっと読み込む,
    加载更多, 載入更多, 더 불러오기, تحميل المزيد, טען עוד, muat lebih banyak, tải thêm, โหลดเพิ่มเติม
    """.strip().splitlines()
    for word in line.split(",")
    if word.strip()
)
"""On a button. ``Show more`` alone opens a text or a filter as often."""
