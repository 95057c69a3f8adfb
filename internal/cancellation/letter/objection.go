package letter

import (
	"strings"

	"aviso/internal/cancellation"
)

// objection is the text of a letter that objects to debits after the end of a contract. Its
// texts have {product}, {sent} for the date of the cancellation, {end} for that of the end,
// {debits} for amounts with their dates, and {digest} for the SHA-256 of the cancellation.
type objection struct {
	// subject has {product}. point is the decimal separator of amounts.
	subject, point string
	// notice says what happened, claim demands the money back within 14 days, mandate
	// withdraws the authority to debit at once, and proof refers to the cancellation. onRequest
	// or enclosed follows: the evidence is offered, or it goes with the letter.
	notice, claim, mandate, proof, onRequest, enclosed string
	// mailNotice has {product}, {end} and {date}. fileName is ASCII.
	mailNotice, fileName string
}

// objecting returns the words of a letter that objects to debits, with or without evidence.
func (w wording) objecting(o objection, enclosed bool) wording {
	w.subject, w.notice, w.confirmation, w.directDebit = o.subject, o.notice, o.claim, o.mandate
	w.mailNotice, w.mailConfirmation, w.fileName = o.mailNotice, o.claim, o.fileName
	w.contact = o.proof + " " + o.onRequest
	if enclosed {
		w.contact = o.proof + " " + o.enclosed
		w.mailNotice += " " + o.enclosed
	}
	return w
}

// debits returns the amounts with their dates: "13,99 EUR (4. April 2026)".
func (w *wording) debits(o cancellation.Objection, point string) string {
	list := make([]string, len(o.Debits))
	for i, d := range o.Debits {
		whole, cents, _ := strings.Cut(strings.TrimPrefix(d.Amount.String(), "-"), ".")
		day := strings.ReplaceAll(w.formatDate(d.Day()), " ", nbsp)
		list[i] = whole + point + cents + "00"[min(len(cents), 2):] + nbsp + d.Currency + " (" + day + ")"
	}
	return strings.Join(list, "; ")
}

func objections() map[cancellation.Locale]objection {
	return map[cancellation.Locale]objection{
		"de-DE": {
			subject: "Widerspruch gegen Abbuchungen nach Vertragsende: {product}", point: ",",
			notice: "den Vertrag „{product}“ habe ich mit Schreiben vom {sent} gekündigt; er ist zum {end} beendet. " +
				"Dennoch haben Sie danach von meinem Konto abgebucht: {debits}.",
			claim: "Dieser Belastung widerspreche ich, denn nach dem Ende des Vertrags fehlt ihr der Rechtsgrund. Bitte " +
				"erstatten Sie mir den Betrag innerhalb von 14 Tagen nach Zugang dieses Schreibens auf das belastete Konto, " +
				"und bestätigen Sie mir die Erstattung und das Vertragsende.",
			mandate: "Ein Ihnen erteiltes SEPA-Lastschriftmandat widerrufe ich, soweit es noch besteht, mit sofortiger " +
				"Wirkung. Ich behalte mir vor, weitere Abbuchungen durch meine Bank zurückbuchen zu lassen.",
			proof:     "Die Kündigung ist nachweisbar versandt; ihr Schreiben hat den SHA-256-Wert {digest}.",
			onRequest: "Den Nachweis übersende ich Ihnen auf Wunsch.",
			enclosed:  "Der Nachweis der Kündigung ist beigefügt.",
			mailNotice: "der Vertrag „{product}“ ist zum {end} beendet, dennoch haben Sie danach von meinem Konto " +
				"abgebucht. Mein Widerspruch vom {date} liegt dieser E-Mail als PDF bei.",
			fileName: "Widerspruch.pdf",
		},
		"de-AT": {
			subject: "Widerspruch gegen Abbuchungen nach Vertragsende: {product}", point: ",",
			notice: "den Vertrag „{product}“ habe ich mit Schreiben vom {sent} gekündigt; er ist zum {end} beendet. " +
				"Dennoch haben Sie danach von meinem Konto abgebucht: {debits}.",
			claim: "Dieser Belastung widerspreche ich, denn nach dem Ende des Vertrags fehlt ihr der Rechtsgrund. Bitte " +
				"erstatten Sie mir den Betrag binnen 14 Tagen ab Zugang dieses Schreibens auf das belastete Konto, und " +
				"bestätigen Sie mir die Erstattung und das Vertragsende.",
			mandate: "Ein Ihnen erteiltes SEPA-Lastschriftmandat (Einziehungsermächtigung) widerrufe ich, soweit es noch " +
				"besteht, mit sofortiger Wirkung. Ich behalte mir vor, weitere Abbuchungen durch meine Bank rückbuchen zu " +
				"lassen.",
			proof:     "Die Kündigung ist nachweisbar versandt; ihr Schreiben hat den SHA-256-Wert {digest}.",
			onRequest: "Den Nachweis übersende ich Ihnen auf Wunsch.",
			enclosed:  "Der Nachweis der Kündigung ist beigefügt.",
			mailNotice: "der Vertrag „{product}“ ist zum {end} beendet, dennoch haben Sie danach von meinem Konto " +
				"abgebucht. Mein Widerspruch vom {date} liegt dieser E-Mail als PDF bei.",
			fileName: "Widerspruch.pdf",
		},
		"de-CH": {
			subject: "Widerspruch gegen Belastungen nach Vertragsende: {product}", point: ".",
			notice: "Den Vertrag «{product}» habe ich mit Schreiben vom {sent} gekündigt; er ist auf den {end} beendet. " +
				"Dennoch haben Sie danach mein Konto belastet: {debits}.",
			claim: "Dieser Belastung widerspreche ich, denn nach dem Ende des Vertrags fehlt ihr der Rechtsgrund. Bitte " +
				"erstatten Sie mir den Betrag innert 14 Tagen nach Erhalt dieses Schreibens auf das belastete Konto, und " +
				"bestätigen Sie mir die Rückerstattung und das Vertragsende.",
			mandate: "Eine Ihnen erteilte Belastungsermächtigung (LSV+ oder Debit Direct) widerrufe ich, soweit sie noch " +
				"besteht, mit sofortiger Wirkung.",
			proof:     "Die Kündigung ist nachweisbar versandt; ihr Schreiben hat den SHA-256-Wert {digest}.",
			onRequest: "Den Nachweis stelle ich Ihnen auf Wunsch zu.",
			enclosed:  "Der Nachweis der Kündigung liegt bei.",
			mailNotice: "Der Vertrag «{product}» ist auf den {end} beendet, dennoch haben Sie danach mein Konto belastet. " +
				"Mein Widerspruch vom {date} liegt dieser E-Mail als PDF bei.",
			fileName: "Widerspruch.pdf",
		},
		"en-GB": {
			subject: "Payments taken after the end of the contract: {product}", point: ".",
			notice: "By my letter of {sent} I gave you notice to end my contract for “{product}”, which ended on {end}. " +
				"You have nevertheless taken payment from my account since then: {debits}.",
			claim: "I dispute this, as nothing is owed once the contract has ended. Please refund the full amount to the " +
				"account it was taken from within 14 days of receiving this letter, and confirm to me in writing both the " +
				"refund and the date on which the contract ended.",
			mandate: "I withdraw my authority for payments by Direct Debit, so far as it still stands, with immediate " +
				"effect. If you take further payments, I shall ask my bank to refund them under the Direct Debit Guarantee.",
			proof:     "I can prove that my notice was sent. Its SHA-256 digest is {digest}.",
			onRequest: "I will send you the evidence on request.",
			enclosed:  "The evidence of the cancellation is enclosed.",
			mailNotice: "My contract with you for “{product}” ended on {end}, but you have taken payment from my account " +
				"since then. My letter of {date} is attached to this email as a PDF.",
			fileName: "Objection.pdf",
		},
		"en-IE": {
			subject: "Payments taken after the end of the contract: {product}", point: ".",
			notice: "By my letter of {sent} I gave you notice to end my contract for “{product}”, which ended on {end}. " +
				"You have nevertheless taken payment from my account since then: {debits}.",
			claim: "I dispute this, as nothing is owed once the contract has ended. Please refund the full amount to the " +
				"account it was taken from within 14 days of receiving this letter, and confirm to me in writing both the " +
				"refund and the date on which the contract ended.",
			mandate: "I withdraw any SEPA Direct Debit mandate that I have given you, so far as it still stands, with " +
				"immediate effect. If you take further payments, I shall ask my bank to return them.",
			proof:     "I can prove that my notice was sent. Its SHA-256 digest is {digest}.",
			onRequest: "I will send you the evidence on request.",
			enclosed:  "The evidence of the cancellation is enclosed.",
			mailNotice: "My contract with you for “{product}” ended on {end}, but you have taken payment from my account " +
				"since then. My letter of {date} is attached to this email as a PDF.",
			fileName: "Objection.pdf",
		},
		"fr-FR": {
			subject: "Contestation de prélèvement après résiliation «" + nbsp + "{product}" + nbsp + "»", point: ",",
			notice: "Par lettre du {sent}, j’ai résilié mon contrat «" + nbsp + "{product}" + nbsp + "», qui a pris fin " +
				"le {end}. Vous avez néanmoins prélevé depuis lors sur mon compte" + nbsp + ": {debits}.",
			claim: "Je conteste ce prélèvement, aucune somme n’étant due après la fin du contrat. Je vous demande de " +
				"rembourser l’intégralité du montant sur le compte débité dans un délai de 14 jours à compter de la " +
				"réception de la présente, et de me confirmer par écrit ce remboursement ainsi que la fin du contrat.",
			mandate: "Je révoque avec effet immédiat, pour autant qu’il subsiste, tout mandat de prélèvement SEPA consenti " +
				"en votre faveur. Je me réserve de demander à ma banque le remboursement de tout nouveau prélèvement.",
			proof:     "L’envoi de ma résiliation est établi" + nbsp + "; l’empreinte SHA-256 de la lettre est {digest}.",
			onRequest: "Je vous en adresserai la preuve sur demande.",
			enclosed:  "La preuve de la résiliation est jointe à la présente.",
			mailNotice: "Mon contrat «" + nbsp + "{product}" + nbsp + "» a pris fin le {end}, et vous avez néanmoins " +
				"prélevé depuis lors sur mon compte. Vous trouverez ma lettre du {date} en pièce jointe, au format PDF.",
			fileName: "Contestation.pdf",
		},
		"fr-BE": {
			subject: "Contestation de prélèvement après résiliation «" + nbsp + "{product}" + nbsp + "»", point: ",",
			notice: "Par lettre du {sent}, j’ai résilié mon contrat «" + nbsp + "{product}" + nbsp + "», qui a pris fin " +
				"le {end}. Vous avez néanmoins prélevé depuis lors sur mon compte" + nbsp + ": {debits}.",
			claim: "Je conteste ce prélèvement, aucune somme n’étant due après la fin du contrat. Je vous demande de " +
				"rembourser l’intégralité du montant sur le compte débité dans un délai de 14 jours à compter de la " +
				"réception de la présente, et de me confirmer par écrit ce remboursement ainsi que la fin du contrat.",
			mandate: "Je révoque avec effet immédiat, pour autant qu’elle subsiste, toute domiciliation (mandat SEPA) " +
				"consentie en votre faveur. Je me réserve de demander à ma banque le remboursement de tout nouveau " +
				"prélèvement.",
			proof:     "L’envoi de ma résiliation est établi" + nbsp + "; l’empreinte SHA-256 de la lettre est {digest}.",
			onRequest: "Je vous en adresserai la preuve sur demande.",
			enclosed:  "La preuve de la résiliation est jointe à la présente.",
			mailNotice: "Mon contrat «" + nbsp + "{product}" + nbsp + "» a pris fin le {end}, et vous avez néanmoins " +
				"prélevé depuis lors sur mon compte. Vous trouverez ma lettre du {date} en pièce jointe, au format PDF.",
			fileName: "Contestation.pdf",
		},
		"fr-CH": {
			subject: "Contestation de débit après résiliation «" + nbsp + "{product}" + nbsp + "»", point: ".",
			notice: "Par lettre du {sent}, j’ai résilié mon contrat «" + nbsp + "{product}" + nbsp + "», qui a pris fin " +
				"le {end}. Vous avez néanmoins débité mon compte depuis lors: {debits}.",
			claim: "Je conteste ce débit, aucune somme n’étant due après la fin du contrat. Je vous demande de rembourser " +
				"l’intégralité du montant sur le compte débité dans un délai de 14 jours dès réception de la présente, et " +
				"de me confirmer par écrit ce remboursement ainsi que la fin du contrat.",
			mandate: "Je révoque avec effet immédiat, pour autant qu’elle subsiste, toute autorisation de débit (LSV+ ou " +
				"Debit Direct) consentie en votre faveur.",
			proof:     "L’envoi de ma résiliation est établi; l’empreinte SHA-256 de la lettre est {digest}.",
			onRequest: "Je vous en adresserai la preuve sur demande.",
			enclosed:  "La preuve de la résiliation est jointe à la présente.",
			mailNotice: "Mon contrat «" + nbsp + "{product}" + nbsp + "» a pris fin le {end}, et vous avez néanmoins " +
				"débité mon compte depuis lors. Vous trouverez ma lettre du {date} en pièce jointe, au format PDF.",
			fileName: "Contestation.pdf",
		},
		"nl-NL": {
			subject: "Bezwaar tegen incasso na einde overeenkomst: {product}", point: ",",
			notice: "Met mijn brief van {sent} heb ik de overeenkomst ‘{product}’ opgezegd; zij is per {end} geëindigd. " +
				"Toch heeft u daarna geld van mijn rekening afgeschreven: {debits}.",
			claim: "Ik maak hiertegen bezwaar, omdat na het einde van de overeenkomst niets meer verschuldigd is. Ik " +
				"verzoek u het volledige bedrag binnen 14 dagen na ontvangst van deze brief terug te storten op de " +
				"rekening waarvan het is afgeschreven, en mij de terugbetaling en de einddatum te bevestigen.",
			mandate: "Een door mij afgegeven machtiging voor automatische incasso (SEPA) trek ik, voor zover die nog " +
				"bestaat, met onmiddellijke ingang in. Verdere afschrijvingen laat ik door mijn bank terugboeken.",
			proof:     "Ik kan aantonen dat mijn opzegging is verzonden; de SHA-256-waarde van de brief is {digest}.",
			onRequest: "Het bewijs stuur ik u desgewenst toe.",
			enclosed:  "Het bewijs van de opzegging is bijgevoegd.",
			mailNotice: "De overeenkomst ‘{product}’ is per {end} geëindigd, maar u heeft daarna toch geld van mijn " +
				"rekening afgeschreven. Mijn brief van {date} vindt u als PDF in de bijlage.",
			fileName: "Bezwaar.pdf",
		},
		"nl-BE": {
			subject: "Betwisting van afhouding na einde overeenkomst: {product}", point: ",",
			notice: "Met mijn brief van {sent} heb ik de overeenkomst ‘{product}’ opgezegd; zij is per {end} beëindigd. " +
				"Toch hebt u daarna geld van mijn rekening afgehouden: {debits}.",
			claim: "Ik betwist deze afhouding, omdat na het einde van de overeenkomst niets meer verschuldigd is. Ik " +
				"verzoek u het volledige bedrag binnen 14 dagen na ontvangst van deze brief terug te storten op de " +
				"gedebiteerde rekening, en mij de terugbetaling en de einddatum te bevestigen.",
			mandate: "Een door mij verleende domiciliëring (SEPA-mandaat) herroep ik, voor zover die nog bestaat, met " +
				"onmiddellijke ingang. Verdere afhoudingen laat ik door mijn bank terugbetalen.",
			proof:     "Ik kan aantonen dat mijn opzegging is verzonden; de SHA-256-waarde van de brief is {digest}.",
			onRequest: "Het bewijs bezorg ik u op verzoek.",
			enclosed:  "Het bewijs van de opzegging vindt u als bijlage.",
			mailNotice: "De overeenkomst ‘{product}’ is per {end} beëindigd, maar u hebt daarna toch geld van mijn " +
				"rekening afgehouden. Mijn brief van {date} vindt u als PDF in de bijlage.",
			fileName: "Betwisting.pdf",
		},
		"es-ES": {
			subject: "Reclamación por cargos posteriores a la baja: {product}", point: ",",
			notice: "Mediante carta de {sent} les comuniqué la baja del contrato «{product}», que finalizó el {end}. Pese " +
				"a ello, con posterioridad han cargado en mi cuenta: {debits}.",
			claim: "Me opongo a dicho cargo, pues nada se adeuda una vez finalizado el contrato. Les requiero para que " +
				"devuelvan el importe íntegro a la cuenta en la que se cargó en el plazo de 14 días desde la recepción de " +
				"esta carta, y para que me confirmen por escrito la devolución y la finalización del contrato.",
			mandate: "Revoco con efecto inmediato, en la medida en que siga vigente, la orden de domiciliación (mandato " +
				"SEPA) que tengan a su favor. Me reservo el derecho de devolver a través de mi banco cualquier nuevo cargo.",
			proof:     "Dispongo de prueba del envío de mi baja; la huella SHA-256 de la carta es {digest}.",
			onRequest: "Se la remitiré si la solicitan.",
			enclosed:  "Adjunto la prueba de la baja.",
			mailNotice: "El contrato «{product}» finalizó el {end} y, pese a ello, con posterioridad han realizado cargos " +
				"en mi cuenta. Adjunto en PDF mi carta de {date}.",
			fileName: "Reclamacion.pdf",
		},
		"it-IT": {
			subject: "Contestazione di addebiti successivi alla cessazione: {product}", point: ",",
			notice: "con lettera datata {sent} ho comunicato la disdetta del contratto «{product}», cessato in data {end}. " +
				"Ciononostante avete successivamente addebitato sul mio conto: {debits}.",
			claim: "Contesto tale addebito, poiché dopo la cessazione del contratto nulla è dovuto. Vi chiedo di " +
				"rimborsare l’intero importo sul conto addebitato entro 14 giorni dal ricevimento della presente e di " +
				"confermarmi per iscritto il rimborso e la cessazione del contratto.",
			mandate: "Revoco con effetto immediato, ove ancora in essere, il mandato di addebito diretto SEPA rilasciato a " +
				"vostro favore. Mi riservo di chiedere alla mia banca il rimborso di ogni ulteriore addebito.",
			proof:     "L’invio della disdetta è documentato; l’impronta SHA-256 della lettera è {digest}.",
			onRequest: "Su richiesta vi trasmetterò la prova.",
			enclosed:  "Allego la prova della disdetta.",
			mailNotice: "il contratto «{product}» è cessato in data {end}; ciononostante avete successivamente effettuato " +
				"addebiti sul mio conto. In allegato trovate, in formato PDF, la mia lettera datata {date}.",
			fileName: "Contestazione.pdf",
		},
		"it-CH": {
			subject: "Contestazione di addebiti successivi alla fine del contratto: {product}", point: ".",
			notice: "con lettera datata {sent} ho disdetto il contratto «{product}», terminato in data {end}. Ciononostante " +
				"avete successivamente addebitato sul mio conto: {debits}.",
			claim: "Contesto tale addebito, poiché dopo la fine del contratto nulla è dovuto. Vi chiedo di rimborsare " +
				"l’intero importo sul conto addebitato entro 14 giorni dalla ricezione della presente e di confermarmi per " +
				"iscritto il rimborso e la fine del contratto.",
			mandate: "Revoco con effetto immediato, qualora sussista ancora, l’autorizzazione di addebito (LSV+ o Debit " +
				"Direct) rilasciata a vostro favore.",
			proof:     "L’invio della disdetta è documentato; l’impronta SHA-256 della lettera è {digest}.",
			onRequest: "Su richiesta vi trasmetterò la prova.",
			enclosed:  "Allego la prova della disdetta.",
			mailNotice: "il contratto «{product}» è terminato in data {end}; ciononostante avete successivamente effettuato " +
				"addebiti sul mio conto. In allegato trovate, in formato PDF, la mia lettera datata {date}.",
			fileName: "Contestazione.pdf",
		},
		"sv-SE": {
			subject: "Invändning mot dragningar efter avtalets slut: {product}", point: ",",
			notice: "Med mitt brev av den {sent} sade jag upp avtalet ”{product}”, som upphörde den {end}. Ni har trots " +
				"det därefter dragit pengar från mitt konto: {debits}.",
			claim: "Jag bestrider detta, eftersom inget är att betala sedan avtalet har upphört. Jag begär att ni betalar " +
				"tillbaka hela beloppet till det belastade kontot inom 14 dagar från det att ni har tagit emot detta brev, " +
				"och att ni skriftligen bekräftar återbetalningen och att avtalet har upphört.",
			mandate: "Mitt medgivande till autogiro återkallar jag, i den mån det fortfarande gäller, med omedelbar " +
				"verkan.",
			proof:     "Jag kan styrka att uppsägningen har skickats; brevets SHA-256-värde är {digest}.",
			onRequest: "Beviset sänder jag på begäran.",
			enclosed:  "Beviset för uppsägningen bifogas.",
			mailNotice: "Avtalet ”{product}” upphörde den {end}, men ni har trots det därefter dragit pengar från mitt " +
				"konto. Mitt brev av den {date} bifogas som PDF.",
			fileName: "Invandning.pdf",
		},
		"pl-PL": {
			subject: "Sprzeciw wobec obciążeń po zakończeniu umowy: {product}", point: ",",
			notice: "umowa „{product}”, wypowiedziana pismem z dnia {sent}, zakończyła się dnia {end}; mimo to " +
				"po tej dacie obciążyli Państwo mój rachunek: {debits}.",
			claim: "Sprzeciwiam się temu obciążeniu, ponieważ po zakończeniu umowy żadna należność nie przysługuje. Wzywam " +
				"do zwrotu całej kwoty na obciążony rachunek w terminie 14 dni od otrzymania niniejszego pisma oraz proszę " +
				"o potwierdzenie na piśmie zwrotu i zakończenia umowy.",
			mandate: "Udzieloną Państwu zgodę na obciążanie mojego rachunku w formie polecenia zapłaty, o ile nadal " +
				"obowiązuje, cofam ze skutkiem natychmiastowym.",
			proof:     "Wysłanie wypowiedzenia jest udokumentowane; skrót SHA-256 pisma to {digest}.",
			onRequest: "Dowód przekażę na żądanie.",
			enclosed:  "Dowód wypowiedzenia umowy przesyłam w załączeniu.",
			mailNotice: "umowa „{product}” zakończyła się dnia {end}, mimo to po tej dacie obciążyli Państwo mój rachunek. " +
				"Moje pismo z dnia {date} przesyłam w załączniku jako plik PDF.",
			fileName: "Sprzeciw.pdf",
		},
		"da-DK": {
			subject: "Indsigelse mod træk efter aftalens ophør: {product}", point: ",",
			notice: "Med mit brev af {sent} opsagde jeg aftalen ”{product}”, som ophørte den {end}. I har alligevel " +
				"derefter trukket penge på min konto: {debits}.",
			claim: "Jeg gør indsigelse, da jeg intet skylder efter aftalens ophør. Jeg beder jer tilbagebetale hele " +
				"beløbet til den konto, det er trukket fra, senest 14 dage efter, at I har modtaget dette brev, og " +
				"skriftligt bekræfte tilbagebetalingen og aftalens ophør.",
			mandate: "En eventuel betalingsaftale hos Betalingsservice tilbagekalder jeg, i det omfang den stadig består, " +
				"med øjeblikkelig virkning.",
			proof:     "Jeg kan dokumentere, at opsigelsen er sendt; brevets SHA-256-værdi er {digest}.",
			onRequest: "Dokumentationen sender jeg på anmodning.",
			enclosed:  "Dokumentation for opsigelsen er vedlagt.",
			mailNotice: "Aftalen ”{product}” ophørte den {end}, men I har alligevel derefter trukket penge på min konto. " +
				"Mit brev af {date} er vedhæftet som PDF.",
			fileName: "Indsigelse.pdf",
		},
		"fi-FI": {
			subject: "Reklamaatio sopimuksen päättymisen jälkeisistä veloituksista: {product}", point: ",",
			notice: "Irtisanoin sopimuksen ”{product}” kirjeelläni ({sent}), ja sopimus on päättynyt ({end}). Olette tästä " +
				"huolimatta veloittaneet tiliäni sen jälkeen: {debits}.",
			claim: "Kiistän veloituksen, koska sopimuksen päätyttyä maksettavaa ei ole. Vaadin koko summan palauttamista " +
				"veloitetulle tilille 14 päivän kuluessa tämän kirjeen vastaanottamisesta ja pyydän kirjallista vahvistusta " +
				"palautuksesta ja sopimuksen päättymisestä.",
			mandate: "Peruutan teille mahdollisesti antamani e-lasku- ja suoramaksuvaltuutukset, siltä osin kuin ne ovat " +
				"vielä voimassa, välittömästi.",
			proof:     "Irtisanomisen lähettämisestä on todiste; kirjeen SHA-256-tiiviste on {digest}.",
			onRequest: "Toimitan todisteen pyynnöstä.",
			enclosed:  "Todiste irtisanomisesta on liitteenä.",
			mailNotice: "Sopimus ”{product}” on päättynyt ({end}), mutta olette tästä huolimatta veloittaneet tiliäni sen " +
				"jälkeen. Kirjeeni ({date}) on tämän viestin liitteenä PDF-tiedostona.",
			fileName: "Reklamaatio.pdf",
		},
		"pt-PT": {
			subject: "Reclamação por débitos após a cessação: {product}", point: ",",
			notice: "Por carta de {sent} denunciei o contrato «{product}», que cessou em {end}. Apesar disso, V. Exas. " +
				"debitaram posteriormente na minha conta: {debits}.",
			claim: "Oponho-me a esse débito, por nada ser devido após a cessação do contrato. Solicito a restituição do " +
				"montante integral para a conta debitada no prazo de 14 dias a contar da receção desta carta, e que me " +
				"confirmem por escrito a restituição e a cessação do contrato.",
			mandate: "Revogo com efeitos imediatos, caso ainda subsista, a autorização de débito direto SEPA concedida a " +
				"V. Exas. Reservo-me o direito de pedir ao meu banco o reembolso de novos débitos.",
			proof:     "Disponho de prova do envio da denúncia; o resumo SHA-256 da carta é {digest}.",
			onRequest: "Enviá-la-ei a pedido de V. Exas.",
			enclosed:  "Segue em anexo a prova da denúncia.",
			mailNotice: "O contrato «{product}» cessou em {end} e, apesar disso, V. Exas. debitaram posteriormente a minha " +
				"conta. A minha carta de {date} segue em anexo, em formato PDF.",
			fileName: "Reclamacao.pdf",
		},
		"cs-CZ": {
			subject: "Nesouhlas s inkasem po skončení smlouvy: {product}", point: ",",
			notice: "dopisem ze dne {sent} byla vypovězena smlouva „{product}“, která skončila dne {end}. Přesto jste poté " +
				"z mého účtu inkasovali: {debits}.",
			claim: "S touto platbou nesouhlasím, neboť po skončení smlouvy k ní není právní důvod. Žádám o vrácení celé " +
				"částky na účet, ze kterého byla stržena, do 14 dnů od doručení tohoto dopisu a o písemné potvrzení vrácení " +
				"platby i skončení smlouvy.",
			mandate:   "Souhlas s inkasem udělený ve Váš prospěch odvolávám, pokud ještě trvá, s okamžitou účinností.",
			proof:     "Odeslání výpovědi je doložitelné; otisk SHA-256 dopisu je {digest}.",
			onRequest: "Důkaz Vám na požádání zašlu.",
			enclosed:  "Doklad o výpovědi přikládám.",
			mailNotice: "smlouva „{product}“ skončila dne {end}, přesto jste poté z mého účtu inkasovali. Můj dopis ze dne " +
				"{date} přikládám ve formátu PDF.",
			fileName: "Nesouhlas.pdf",
		},
		"nb-NO": {
			subject: "Innsigelse mot trekk etter avtalens opphør: {product}", point: ",",
			notice: "Med brevet mitt av {sent} sa jeg opp avtalen «{product}», som opphørte {end}. Dere har likevel " +
				"deretter trukket penger fra kontoen min: {debits}.",
			claim: "Jeg bestrider dette, ettersom ingenting er å betale etter at avtalen har opphørt. Jeg ber dere betale " +
				"tilbake hele beløpet til kontoen det ble trukket fra, innen 14 dager etter at dere har mottatt dette " +
				"brevet, og skriftlig bekrefte tilbakebetalingen og at avtalen har opphørt.",
			mandate: "En eventuell fullmakt til AvtaleGiro trekker jeg tilbake med øyeblikkelig virkning, så langt den " +
				"fortsatt gjelder.",
			proof:     "Jeg kan dokumentere at oppsigelsen er sendt; SHA-256-verdien til brevet er {digest}.",
			onRequest: "Dokumentasjonen sender jeg på forespørsel.",
			enclosed:  "Dokumentasjon på oppsigelsen er vedlagt.",
			mailNotice: "Avtalen «{product}» opphørte {end}, men dere har likevel deretter trukket penger fra kontoen min. " +
				"Brevet mitt av {date} er vedlagt som PDF.",
			fileName: "Innsigelse.pdf",
		},
	}
}
