package masking

import "regexp"

// Words that say what a number near them is, in the ten languages of the interview. They decide only where the form of a number
// leaves open what it is.
var (
	phoneCue = regexp.MustCompile(`phone|telefo|teléfono|téléphone|\btel\b|\btel[.:]|mobil|móvil|\bcell|cellulare|celular|telemóvel|handy|whats ?app|signal|\bfax|portable|\bgsm\b|\bcall\b|call me|\bring\b|reach me|text me|\bsms\b|erreich|\bruf|anruf|appel|\bjoindre|llám|llama|contact|chiama|\bliga\b|ligue|\bbel\b|\bbellen|bereik|nummer is|my number|meine nummer|mon numéro|mi número|mio numero|meu número|هاتف|جوال|موبايل|اتصل|رقمي|واتس|电话|手机|致电|打给|号码|電話|携帯|連絡`)

	productCue = regexp.MustCompile(`\bisbn|\bean\b|\bgtin|\bsku\b|\basin\b|\bimei\b|model|modell|modèle|\bref\b|réf|article|artikel|artículo|articolo|artigo|\bitem\b|\bpart\b|product|produkt|producto|prodotto|produit|produto|\border|bestell|commande|pedido|ordine|encomenda|bestelling|serial|serie|série|version|versione|versión|versão|versie|ticket|tracking|sendung|suivi|seguimiento|batch|\blot\b|charge|chargen|\bbuild\b|\bcode\b|barcode|coupon|gutschein|型号|型號|货号|商品|产品|產品|订单|訂單|编号|編號|条码|型番|品番|製品|注文|موديل|طراز|منتج|طلب|الطلبية|باركود`)

	cardCue = regexp.MustCompile(`\bcard|karte|\bcarte|tarjeta|\bcarta\b|cartão|\bkaart|creditcard|visa\b|mastercard|amex|بطاقة|卡|カード`)

	idCue = regexp.MustCompile(`passport|passeport|pasaporte|passaporto|passaporte|paspoort|reisepass|ausweis|\bidentity|national id|\bid (?:number|card|no)|my id\b|\bidentité|identidad|identità|identidade|identiteit|\bdni\b|\bnie\b|\bnif\b|\bcpf\b|\brg\b|\bbsn\b|burgerservice|\bssn\b|social security|social insurance|sozialversicherung|rentenversicherung|sécurité sociale|\bnir\b|seguridad social|segurança social|codice fiscale|tessera sanitaria|steuer|tax (?:id|number)|\btin\b|numéro fiscal|versicherten|krankenversicherung|insurance (?:number|no)|health (?:number|card)|policy number|driver'?s? licen|driving licen|führerschein|permis de conduire|\bpatente|carta de condução|carné|carnet|rijbewijs|\bnhs\b|medicare|patient (?:number|no|id)|customer (?:number|no|id)|kundennummer|mitgliedsnummer|member(?:ship)? (?:number|no|id)|numéro client|número de (?:cliente|socio|utente)|codice cliente|klantnummer|account (?:number|no)|kontonummer|هوية|جواز|الإقامة|رخصة|身份证|身份證|护照|護照|驾照|社保|マイナンバー|パスポート|旅券|免許|保険証|会員番号`)

	// currency and count stand beside amounts.
	moneyBefore = regexp.MustCompile(`(?:[€$£¥₹]|\b(?:eur|usd|gbp|chf|brl|jpy|cny|rmb|sar|aed|egp)|r\$|us\$)\s?$`)
	amountAfter = regexp.MustCompile(`^\s?(?:[€$£¥₹%°]|eur|usd|gbp|chf|brl|sar|aed|euro|dollar|pound|pfund|franken|francs?|dólar|dollari|reais|real\b|yen|yuan|riyal|million|millionen|milliard|people|users|persons|personen|personnes|personas|persone|pessoas|mensen|einwohner|habitants|habitantes|abitanti|inwoners|customers|kunden|steps|schritte|\bpas\b|pasos|passi|passos|stappen|stück|units|kilomet|km\b|meter|metr|miles|views|follower|bytes|kcal|kwh|lines|zeilen|points|punkte|hours|stunden|ريال|درهم|جنيه|دولار|يورو|شخص|مستخدم|元|块|円|万|人|個|个|步|歩|公里|キロ|%)`)
)

// window limits the distance, in bytes, from a cue to the number after it.
const window = 48

// behind returns the text before a place, as far as a cue may reach, and not beyond the sentence.
func (f *folded) behind(at int) string {
	from := max(0, at-window)
	part := f.lower[from:at]
	if cut := lastSentenceEnd.FindStringIndex(part); cut != nil {
		part = part[cut[1]:]
	}
	return part
}

var lastSentenceEnd = regexp.MustCompile(`(?s)^.*(?:[!?;。！？؟\n]|\.\s)`)
