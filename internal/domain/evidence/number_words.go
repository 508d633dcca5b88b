package evidence

import (
	"strconv"
	"strings"
)

// words maps number words from two up, folded, to their values. Each list holds the numbers in order; a number whose word also
// has another meaning is removed below.
var words = func() map[string]string {
	all := map[string]string{}
	for list := range strings.SplitSeq(`
		two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
		zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig
		deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt
		dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte
		dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte
		due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti
		twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig
		два три четыре пять шесть семь восемь девять десять`, "\n") {
		for i, word := range strings.Fields(list) {
			if word = Fold(word); all[word] == "" && !strings.Contains(word, "-") {
				all[word] = strconv.Itoa(i + 2)
			}
		}
	}
	for value, list := range map[int]string{
		2:    "duas",
		12:   "dozen dutzend douzaine docena dúzia dozzina dozijn",
		30:   "thirty dreißig trente treinta trinta trenta dertig",
		40:   "forty vierzig quarante cuarenta quarenta quaranta veertig",
		50:   "fifty fünfzig cinquante cincuenta cinquenta cinquanta vijftig",
		60:   "sixty sechzig soixante sesenta sessenta sessanta zestig",
		70:   "seventy siebzig setenta settanta zeventig",
		80:   "eighty achtzig ochenta oitenta ottanta tachtig",
		90:   "ninety neunzig noventa novanta negentig",
		100:  "hundred hundert cent cien cem cento honderd сто",
		1000: "thousand tausend mille mil duizend тысяча",
	} {
		for word := range strings.FieldsSeq(list) {
			all[Fold(word)] = strconv.Itoa(value)
		}
	}
	for _, ambiguous := range []string{"sei", "once", "elf", "due", "neuf", "doce", "seize", "cent"} { // you are, one time, a being, owed, new, sweet, to take, a coin
		delete(all, ambiguous)
	}
	return all
}()
