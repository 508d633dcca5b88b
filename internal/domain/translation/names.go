package translation

import "strings"

// LanguageName returns the English name of a language code, or the code itself if it is unknown.
func LanguageName(code string) string {
	if name := names[code]; name != "" {
		return name
	}
	return code
}

// names has an entry for each of guide.Languages.
var names = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(nameList) {
		if code, name, found := strings.Cut(strings.TrimSpace(line), " "); found {
			all[code] = name
		}
	}
	return all
}()

const nameList = `
en English
en-medical English, for professionals of medicine
fr French
de German
de-CH German as written in Switzerland, with ss for ß
it Italian
pt Portuguese
es Spanish
zh Chinese in simplified characters
zh-TW Chinese in traditional characters, as in Taiwan
zh-HK Chinese in traditional characters, as in Hong Kong
af Afrikaans
sq Albanian
am Amharic
ar Arabic
hy Armenian
as Assamese
ast Asturian
az Azerbaijani
ba Bashkir
eu Basque
be Belarusian
bn Bengali
bs Bosnian
br Breton
bg Bulgarian
my Burmese
ca Catalan
ceb Cebuano
ny Chichewa
hr Croatian
cs Czech
da Danish
nl Dutch
et Estonian
fo Faroese
fi Finnish
nl-BE Dutch as in Flanders
ff Fulah
gl Galician
lg Ganda
ka Georgian
el Greek
gu Gujarati
ht Haitian Creole
ha Hausa
haw Hawaiian
he Hebrew
hi Hindi
hu Hungarian
is Icelandic
ig Igbo
id Indonesian
ga Irish
ja Japanese
jw Javanese
kea Kabuverdianu
kn Kannada
kk Kazakh
km Khmer
ko Korean
ku Kurdish
ky Kyrgyz
lo Lao
la Latin
lv Latvian
ln Lingala
lt Lithuanian
luo Luo
lb Luxembourgish
mk Macedonian
mg Malagasy
ms Malay
ml Malayalam
mt Maltese
mi Maori
mr Marathi
mn Mongolian
ne Nepali
nso Northern Sotho
no Norwegian
nn Norwegian Nynorsk
oc Occitan
or Odia
pa Punjabi
ps Pashto
fa Persian
pl Polish
ro Romanian
ru Russian
sa Sanskrit
sr Serbian
sn Shona
sd Sindhi
si Sinhala
sk Slovak
sl Slovenian
so Somali
su Sundanese
sw Swahili
sv Swedish
tl Tagalog
tg Tajik
ta Tamil
tt Tatar
te Telugu
th Thai
bo Tibetan
tr Turkish
tk Turkmen
uk Ukrainian
umb Umbundu
ur Urdu
uz Uzbek
vi Vietnamese
cy Welsh
wo Wolof
xh Xhosa
yi Yiddish
yo Yoruba
zu Zulu
`
