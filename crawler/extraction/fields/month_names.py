# ruff: noqa: RUF001 - names in many scripts
"""Months and days of the week in the languages of Europe, as dates write them.

A word that is one month here and another elsewhere, such as listopad, is left out.
"""

_MONTHS = """
january jan januar jänner jaenner january janvier janv enero ene gennaio gen genn janeiro
januari janúar stycznia styczeń leden ledna január januára tammikuu tammikuuta ianuarie siječnja
siječanj jaanuar gener ocak yanvar января январь січня ιανουαρίου ιανουάριος януари јануар;
february feb februar feber février fevrier févr fév febrero febbraio febbr fevereiro fev
februari febrúar lutego luty únor února február februára helmikuu helmikuuta februarie veljače
veljača veebruar febrer şubat февраля февраль лютого φεβρουαρίου φεβρουάριος февруари фебруар;
march mar märz maerz mär mrz marz mars marzo março marco maart mrt mart marts marca marzec
březen března marec március maaliskuu maaliskuuta martie ožujka ožujak märts març марта март
березня μαρτίου μάρτιος;
april apr avril avr abril abr aprile aprilie aprill kwietnia kwiecień duben dubna apríl apríla
április huhtikuu huhtikuuta travnja travanj nisan апреля апрель квітня απριλίου απρίλιος април;
may mai mayo maggio magg mag maio mei maj maja květen května máj mája május toukokuu toukokuuta
svibnja svibanj maig mayıs мая май травня μαΐου μάιος мај;
june jun juni juin junio giugno giu junho czerwca czerwiec červen června jún júna június kesäkuu
kesäkuuta iunie lipnja lipanj juuni juny haziran июня июнь червня ιουνίου ιούνιος юни јун;
july jul juli juillet juil julio luglio lugl lug julho lipca lipiec červenec července júl júla
július heinäkuu heinäkuuta iulie srpnja srpanj juuli juliol temmuz июля июль липня ιουλίου
ιούλιος юли јул;
august aug août aout agosto ago augustus augusti sierpnia sierpień srpen srpna augusta augusztus
elokuu elokuuta kolovoza kolovoz agost ağustos августа август серпня αυγούστου αύγουστος;
september sep sept septembre septiembre settembre sett setembro set września wrzesień září
septembra szeptember syyskuu syyskuuta septembrie rujna rujan setembre eylül сентября сентябрь
вересня σεπτεμβρίου σεπτέμβριος септември септембар;
october oct oktober okt octobre octubre ottobre ott outubro out października październik říjen
října októbra október lokakuu lokakuuta octombrie oktoober ekim октября октябрь жовтня οκτωβρίου
οκτώβριος октомври октобар;
november nov novembre noviembre novembro novembra marraskuu marraskuuta noiembrie studenoga
studenog studeni kasım ноября ноябрь νοεμβρίου νοέμβριος ноември новембар;
december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro desember
prosinec prosince decembra grudnia grudzień joulukuu joulukuuta decembrie prosinca detsember
desembre aralık декабря декабрь грудня δεκεμβρίου δεκέμβριος декември децембар
"""
_WEEKDAYS = """
monday mon montag mo lundi lun lunes lunedì segunda segunda-feira maandag ma mandag man måndag
mån poniedziałek pondělí po pondelok hétfő maanantai luni ponedjeljak ponedeljek pazartesi
понедельник понеділок δευτέρα;
tuesday tue tues dienstag di mardi mar martes martedì terça terça-feira dinsdag tirsdag tir
tisdag tis wtorek úterý út utorok kedd tiistai ti marți utorak torek salı вторник вівторок τρίτη;
wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì quarta quarta-feira woensdag wo
onsdag ons środa streda středa st szerda keskiviikko ke miercuri srijeda sreda çarşamba среда
середа τετάρτη;
thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio quinta quinta-feira
donderdag torsdag tor tors czwartek čtvrtek čt štvrtok csütörtök torstai to joi četvrtak četrtek
perşembe четверг четвер πέμπτη;
friday fri freitag fr vendredi ven viernes vie venerdì sexta sexta-feira vrijdag vr fredag fre
piątek pátek pá piatok péntek perjantai pe vineri petak petek cuma пятница παρασκευή;
saturday sat samstag sa sonnabend samedi sam sábado sáb sabato sab zaterdag za lørdag lør lördag
lör sobota lauantai la sâmbătă subota cumartesi суббота субота σάββατο szombat;
sunday sun sonntag so dimanche dim domingo dom domenica zondag zo søndag søn söndag sön
niedziela neděle ne nedeľa vasárnap sunnuntai su duminică nedjelja nedelja pazar воскресенье
неділя κυριακή
"""


def _number(names: str, first: int) -> dict[str, int]:
    parts = enumerate(names.split(";"), first)
    return {name: number for number, part in parts for name in part.split()}


MONTHS = _number(_MONTHS, 1)
WEEKDAYS = _number(_WEEKDAYS, 0)
"""Monday is 0, as ``datetime.date.weekday`` counts."""
