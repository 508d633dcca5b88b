package statement

import "strings"

// units maps words and signs to what they measure, in all languages: a word of one that means something else in another is rare, and
// only makes the check stricter.
var units = func() map[string]string {
	all := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(`
second: seconds secs sekunde sekunden secondes segundos secondi seconden ثانية ثوان ثواني
minute: minute minutes min mins minuten minutos minuto minuti minuut دقيقة دقائق دقيقتين
hour: hour hours hr hrs stunde stunden heure heures hora horas ora ore uur uren ساعة ساعات ساعتين
day: day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen يوم أيام يوما يومين
night: night nights nacht nächte nuit nuits noche noches noite noites notte notti nachten ليلة ليال ليالي
week: week weeks woche wochen semaine semaines semana semanas settimana settimane weken أسبوع أسابيع أسبوعين
month: month months monat monate monaten mois mes meses mês mese mesi maand maanden شهر أشهر شهور شهرين
year: year years jahr jahre jahren ans année années año años ano anos anno anni jaar سنة سنوات سنتين عام أعوام عاما
percent: % percent pc prozent procent بالمئة
euro: € euro euros eur يورو
dollar: $ dollar dollars usd dólar dólares bucks دولار
pound: £ pound pounds gbp quid
yen: ¥ yen 円
riyal: riyal riyals rial ريال ريالا ريالات
cent: cent cents pence centimes céntimos cêntimos centesimi
times: times mal fois vez veces vezes volta volte keer مرة مرات مرتين attempts
metre: metre metres meter metern mètre mètres metro metros metri متر أمتار
kilometre: km kilometre kilometres kilometer kilometers kilomètres kilómetros quilómetros chilometri كيلومتر كيلومترات
mile: mile miles meilen
kilo: kg kilo kilos kilogram kilograms كيلو
litre: litre litres liter liters litros litri
degree: degrees degree grad degrés grados graus gradi graden
person: people persons person leute personen menschen personnes gens personas pessoas persone mensen أشخاص شخص شخصا
child: children kids kinder enfants niños crianças bambini kinderen أطفال
acre: acres acre
`), "\n") {
		class, words, _ := strings.Cut(line, ":")
		for word := range strings.FieldsSeq(words) {
			all[fold(word)] = class
		}
	}
	return all
}()

// denseUnits are units of scripts without spaces, which stand directly behind a number.
var denseUnits = []struct{ sign, class string }{
	{"分钟", "minute"},
	{"分鐘", "minute"},
	{"小时", "hour"},
	{"小時", "hour"},
	{"時間", "hour"},
	{"週間", "week"},
	{"个月", "month"},
	{"個月", "month"},
	{"か月", "month"},
	{"ヶ月", "month"},
	{"カ月", "month"},
	{"星期", "week"},
	{"欧元", "euro"},
	{"美元", "dollar"},
	{"公里", "kilometre"},
	{"ユーロ", "euro"},
	{"ドル", "dollar"},
	{"秒", "second"},
	{"分", "minute"},
	{"日", "day"},
	{"天", "day"},
	{"周", "week"},
	{"週", "week"},
	{"月", "month"},
	{"年", "year"},
	{"円", "yen"},
	{"元", "yuan"},
	{"块", "yuan"},
	{"%", "percent"},
	{"％", "percent"},
	{"回", "times"},
	{"次", "times"},
	{"度", "times"},
	{"人", "person"},
	{"名", "person"},
	{"岁", "year"},
	{"歳", "year"},
	{"晚", "night"},
	{"泊", "night"},
	{"米", "metre"},
	{"キロ", "kilo"},
	{"点", clockUnit},
	{"點", clockUnit},
	{"時", clockUnit},
}

// minutes has the length, in minutes, of the units of time that can be converted into each other.
var minutes = map[string]float64{"second": 1.0 / 60, "minute": 1, "hour": 60, "day": 1440, "week": 10080}

// months likewise for longer times.
var months = map[string]float64{"month": 1, "year": 12}

// sameUnit reports whether two measures may be of the same thing.
func sameUnit(a, b string) bool {
	return a == b || a == "" || b == "" || a == "night" && b == "day" || a == "day" && b == "night"
}
