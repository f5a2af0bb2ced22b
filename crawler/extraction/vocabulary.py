# ruff: noqa: RUF001 - words of many languages
"""What pages call the parts of a record, by the name that rules use for them.

A name that is not here is a label itself. Words that also mean something else on the same kind of
page, such as "notes" or "time", are left out.
"""

LABELS: dict[str, tuple[str, ...]] = {
    "ingredients": (
        "ingredients", "ingredient list", "ingredients list", "recipe ingredients", "what you'll need", "what you need",
        "you will need", "you'll need", "zutaten", "zutatenliste", "das brauchst du", "ingrédients", "liste des ingrédients",
        "ingredientes", "lista de ingredientes", "ingredienti", "ingrediënten", "ingrediëntenlijst", "ingredienser", "ingredienserne",
        "składniki", "ingredience", "suroviny", "prísady", "ингредиенты", "інгредієнти", "інгрэдыенты", "състав",
        "hozzávalók", "malzemeler", "ainekset", "sastojci", "sestavine", "ingrediente", "υλικά", "nguyên liệu",
        "bahan", "bahan-bahan", "材料", "食材", "用料", "재료", "המצרכים", "מצרכים", "المكونات", "المقادير",
    ),
    "instructions": (
        "instructions", "recipe instructions", "cooking instructions", "directions", "method", "preparation", "procedure",
        "steps", "how to make", "how to make it", "how to prepare", "here's how to make it", "step-by-step", "step by step",
        "step-by-step directions", "step-by-step instructions", "step by step instructions", "preparation steps",
        "zubereitung", "zubereitungsschritte", "anleitung", "so geht's", "préparation", "étapes", "étapes de préparation",
        "instructions de préparation", "réalisation", "preparación", "elaboración", "modo de preparación", "cómo hacer",
        "instrucciones", "pasos", "modo de preparo", "modo de fazer", "preparação", "preparo", "preparazione", "procedimento",
        "bereiding", "bereidingswijze", "werkwijze", "gör så här", "så gör du", "så här gör du", "tillagning", "tillvägagångssätt",
        "fremgangsmåde", "sådan gør du", "fremgangsmåte", "slik gjør du", "przygotowanie", "sposób przygotowania", "wykonanie",
        "postup", "postup přípravy", "příprava", "приготовление", "способ приготовления", "приготування", "прыгатаванне",
        "elkészítés", "elkészítése", "hazırlanışı", "yapılışı", "valmistus", "valmistusohje", "valmistusohjeet", "priprema",
        "postopek", "mod de preparare", "εκτέλεση", "cách làm", "cara membuat", "作り方", "做法", "步驟", "步骤",
        "만드는 법", "אופן ההכנה", "הוראות הכנה", "طريقة التحضير",
    ),
    "yield": (
        "yield", "yields", "serves", "servings", "serving", "makes", "portions", "number of servings", "portionen", "anzahl portionen",
        "für personen", "nombre de personnes", "nombre de parts", "pour", "porciones", "raciones", "comensales", "rendimento",
        "porções", "porzioni", "dosi per", "aantal personen", "porties", "portioner", "antal portioner", "antal personer",
        "liczba porcji", "porcje", "počet porcí", "porce", "порции", "количество порций", "adag", "kişilik", "annoksia",
    ),
    "prep time": (
        "prep time", "prep", "preparation time", "preparation", "vorbereitungszeit", "vorbereitung", "arbeitszeit", "zubereitungszeit",
        "temps de préparation", "préparation", "tiempo de preparación", "tiempo preparación", "preparación", "tempo de preparo",
        "tempo di preparazione", "preparazione", "bereidingstijd", "voorbereidingstijd", "voorbereiding", "förberedelsetid",
        "forberedelse", "forberedelsestid", "arbejdstid", "czas przygotowania", "doba přípravy", "время подготовки", "előkészítés",
    ),
    "cook time": (
        "cook time", "cooking time", "cook", "cooking", "bake time", "baking time", "koch-/backzeit", "kochzeit", "backzeit", "garzeit",
        "temps de cuisson", "cuisson", "tiempo de cocción", "cocción", "tempo de cozimento", "cottura", "tempo di cottura",
        "kooktijd", "baktijd", "oventijd", "tillagningstid", "tilberedning", "czas gotowania", "czas pieczenia", "doba vaření",
        "doba pečení", "время приготовления",
    ),
    "total time": (
        "total time", "total", "ready in", "total cook time", "total cooking time", "time required", "gesamtzeit", "insgesamt",
        "temps total", "durée totale", "tiempo total", "tempo total", "tempo totale", "totale tijd", "totale bereidingstijd",
        "total tid", "tid i alt", "czas całkowity", "celková doba", "общее время", "teljes idő",
    ),
    "date": (
        "date", "dates", "when", "date and time", "date & time", "event date", "starts", "start date", "start", "begins",
        "datum", "wann", "termin", "beginn", "datum und uhrzeit", "date et heure", "quand", "début", "fecha", "cuándo",
        "fecha y hora", "inicio", "data", "quando", "data e ora", "inizio", "início", "wanneer", "datum en tijd", "dato", "når",
        "datum och tid", "när", "kdy", "termín", "kiedy", "termin i miejsce", "дата", "когда", "дата и время", "日時", "日期",
    ),
    "end date": (
        "end date", "ends", "end", "until", "ende", "fin", "date de fin", "fecha de fin", "fine", "término", "einde", "slutdatum", "slut",
    ),
    "title": (
        "title", "event", "event name", "event title", "meeting", "meeting name", "meeting title", "titel", "veranstaltung", "titre",
        "événement", "título", "evento", "titolo", "evenement", "titel der veranstaltung", "назва", "название",
    ),
    "venue": (
        "venue", "location", "where", "place", "wo", "ort", "veranstaltungsort", "lieu", "où", "lugar", "dónde", "luogo", "dove",
        "local", "onde", "locatie", "plaats", "waar", "plats", "sted", "var", "hvor", "místo", "kde", "miejsce", "gdzie", "место", "где",
        "会場", "地点",
    ),
    "published": (
        "published", "published on", "date published", "posted", "posted on", "veröffentlicht", "veröffentlicht am",
        "publié le", "publicado", "publicado el", "publicado em", "pubblicato", "pubblicato il", "gepubliceerd", "gepubliceerd op",
        "publicerad", "publisert", "udgivet", "opublikowano", "data publikacji", "zveřejněno", "опубликовано",
    ),
    "modified": (
        "updated", "updated on", "last updated", "last updated on", "last modified", "modified", "aktualisiert", "aktualisiert am",
        "zuletzt aktualisiert", "mis à jour le", "actualizado", "actualizado el", "atualizado em", "aggiornato il",
        "bijgewerkt", "laatst bijgewerkt", "uppdaterad", "senast uppdaterad", "oppdatert", "zaktualizowano", "обновлено",
    ),
    "sku": (
        "sku", "item no", "item number", "item #", "product code", "artikelnummer", "artikel-nr", "art.-nr", "art. nr", "référence",
        "réf", "référence interne", "referencia", "codice prodotto", "artikelnr", "varenummer", "артикул",
    ),
    "brand": ("brand", "manufacturer", "marke", "hersteller", "marque", "marca", "merk", "märke", "značka", "бренд", "производитель"),
    "company": ("company", "employer", "unternehmen", "arbeitgeber", "entreprise", "employeur", "empresa", "azienda", "werkgever", "firma"),
    "salary": (
        "salary", "pay", "base pay", "salary range", "pay range", "pay rate", "compensation", "gehalt", "vergütung", "salaire",
        "rémunération", "salario", "sueldo", "retribuzione", "stipendio", "salaris", "lön", "løn", "lønn", "wynagrodzenie", "зарплата",
    ),
    "job location": (
        "location", "job location", "work location", "place of work", "arbeitsort", "einsatzort", "standort", "lieu de travail", "lieu",
        "ubicación", "lugar de trabajo", "luogo di lavoro", "sede di lavoro", "standplaats", "werklocatie", "arbetsort", "ort",
    ),
    "employment type": ("employment type", "employee type", "job type", "contract type", "anstellungsart", "type de contrat", "tipo de contrato"),
    "posted": ("posted", "date posted", "posted on", "posting date", "veröffentlicht am", "publié le", "fecha de publicación"),
    "valid through": ("closing date", "application deadline", "deadline", "apply by", "bewerbungsfrist", "date limite", "sluitingsdatum"),
    "gtin": (
        "gtin", "ean", "upc", "ean code", "ean-code", "ean13", "ean-13", "upc code", "gtin-13", "barcode", "bar code", "isbn", "isbn-13",
        "isbn13", "code ean", "code-barres", "código de barras", "codice ean", "streepjescode", "штрихкод",
    ),
    "price": ("price", "preis", "prix", "precio", "preço", "prezzo", "prijs", "pris", "cena", "цена"),
    "availability": ("availability", "verfügbarkeit", "disponibilité", "disponibilidad", "disponibilidade", "disponibilità", "beschikbaarheid"),
    "author": (
        "written by", "author", "verfasst von", "geschrieben von", "autor", "autorin", "écrit par", "rédigé par", "auteur",
        "escrito por", "scritto da", "autore", "geschreven door", "skrevet af", "skriven av", "skrevet av", "napisane przez",
        "автор", "napsal", "yazan", "kirjoittanut",
    ),
}  # fmt: skip
NAMES = {word: name for name, words in reversed(LABELS.items()) for word in words}
"""What a label is called; the first name that has it."""
