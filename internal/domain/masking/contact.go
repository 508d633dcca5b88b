package masking

import (
	"regexp"
	"strings"
)

// Parts of the patterns below. Local parts and domains are of scripts that put spaces between words, so that a Chinese or Japanese
// sentence before an address does not belong to it.
const (
	atom    = `[\p{Latin}\p{Greek}\p{Cyrillic}0-9_%+'.-]+`
	domain  = `[\p{Latin}\p{Greek}\p{Cyrillic}0-9-]+(?:\.[\p{Latin}\p{Greek}\p{Cyrillic}0-9-]+)*`
	topmost = `(?:com|org|net|info|edu|gov|io|me|app|dev|eu|uk|de|at|ch|fr|be|es|mx|ar|it|pt|br|nl|sa|ae|eg|ma|cn|tw|hk|jp|co|online|shop|site|store|blog|xyz|link|page)`
	dotWord = `(?: ?[(\[{] ?(?:dot|punkt|point|punto|ponto|punt|\.) ?[)\]}] ?| (?:dot|punkt|point|punto|ponto|punt) | ?(?:ドット|点|點|دوت|نقطة) ?)`
	spoken  = ` (?:dot|punkt) ` // "at one point it" is no address
	atWord  = `(?: (?:arroba|chiocciola|arobase|apenstaartje|klammeraffe) | ?(?:アットマーク|アット|艾特|آت) ?)`
	inside  = `[^\s<>"“”«»,;，。、；：！？）】」』،؛؟\p{Han}\p{Hiragana}\p{Katakana}\p{Arabic}]`
)

// contact is a pattern of an address by which a person can be reached, tried where one of the words stands. group is the part of it
// that is masked.
type contact struct {
	kind  Kind
	words []string
	shape func() *regexp.Regexp
	group int
}

var contactShapes = []contact{
	{Mail, []string{"@"}, lazy(atom + `@` + domain), 0},
	{Mail, []string{" @ "}, lazy(atom + ` @ [\p{Latin}\p{Greek}\p{Cyrillic}0-9-]+(?:\.[\p{Latin}\p{Greek}\p{Cyrillic}0-9-]+)+`), 0},
	{Mail, []string{"at)", "at]", "at}", "at>", "at )", "at ]", "@)", "@]", "@}", "@ )", "@ ]", "arroba", "arobase", "ät"}, lazy(`(?i)` + atom + `(?:` + dotWord + atom + `){0,2} ?[(\[{<] ?(?:at|@|arroba|arobase|ät) ?[)\]}>] ?` + domain + `(?:` + dotWord + `[a-z0-9-]+){0,3}`), 0},
	{Mail, []string{"arroba", "chiocciola", "arobase", "apenstaartje", "klammeraffe", "アット", "艾特", "آت"}, lazy(`(?i)` + atom + `(?:` + dotWord + atom + `){0,2}` + atWord + `[a-z0-9-]+(?:(?:\.|` + dotWord + `)[a-z0-9-]+){1,3}`), 0},
	{Mail, []string{" dot ", " punkt "}, lazy(`(?i)` + atom + `(?:` + spoken + atom + `){0,2} (?:at|ät) [a-z0-9-]+(?:` + spoken + `[a-z0-9-]+){0,2}` + spoken + topmost + `\b`), 0},
	{Link, []string{"://", "www."}, lazy(`(?i)\b[a-z][a-z0-9+.-]*://` + inside + `+|\bwww\.` + inside + `+`), 0},
	{Link, []string{"/"}, lazy(`(?i)\b(?:[a-z0-9-]+\.)+` + topmost + `/` + inside + `+`), 0},
	{Handle, []string{"@"}, lazy(`(?:^|[^\p{Latin}\p{Nd}._@])(@[A-Za-z0-9_.\p{Arabic}]{3,})`), 1},
	{Handle, profiles, lazy(`(?i)(?:` + strings.Join(profiles, "|") + `)(?:[ :=]|is|ist|es|est|è|é|name|handle|user|id|account|号|是|は|هو)*[ :=]?([a-z][a-z0-9._]*[_0-9][a-z0-9._]*)`), 1},
}

// profiles are words after which the name of somebody's profile may stand.
var profiles = []string{
	"instagram", "insta", "snapchat", "tiktok", "telegram", "twitter", "skype", "discord", "twitch", "wechat", "微信", "line id", "username", "user name",
	"benutzername", "nutzername", "pseudo", "usuario", "usuário", "utente", "utilizador", "gebruikersnaam", "اسم المستخدم", "用户名", "ユーザー名",
}

// contacts finds mail addresses, links and handles.
func contacts(f *folded) (spans []span) {
	for _, c := range contactShapes {
		if !holdsAny(f.lower, c.words) {
			continue
		}
		for _, at := range c.shape().FindAllStringSubmatchIndex(f.text, -1) {
			start, end := at[2*c.group], at[2*c.group+1]
			found := strings.TrimRight(f.text[start:end], ".,;:!?)]}'\"-")
			end = start + len(found)
			for found != "" && strings.ContainsRune(".-'%", rune(found[0])) { // ends the word before it
				found, start = found[1:], start+1
			}
			if end > start {
				spans = append(spans, span{start, end, c.kind})
			}
		}
	}
	return spans
}
