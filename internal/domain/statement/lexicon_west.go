package statement

const lexiconEN = `
not: not, no, never, nobody, none, nothing, nor, neither, hardly, scarcely, barely, rarely, can't, cannot, without, doubt, deny, stop short of
even: even if, as if, ask if, asks if, asked if, know if, knows if, sure if, see if, wonder if, wondered if, if anything, not only, not just, no doubt, no matter, no wonder, why not
if: if, unless, provided, providing, assuming, as long as, in case, supposing, on condition, except when
hedge: maybe, perhaps, possibly, supposedly, i guess, i suppose, not sure, hard to say, i wonder, i doubt, might be that, could be that
says: says, thinks, claims, reckons, believes, insists, swears, feels, argues, complains, promises, tells, keeps saying, was told, were told, been told, according to, people say, they say, i heard, i've heard, have heard, apparently, supposedly, rumour has it
said: said, told, thought, claimed, reckoned, believed, insisted, argued, promised, explained, warned, replied, wrote, mentioned, assured, swore, suggested, complained, announced, say, think, claim, reckon, believe
i: i, we, i'm, i'd, i've
it: it, you, this, that, they, there, nobody, everything, which, who, these, those
he: he, she, one of them, most of them, some of them, two of them, a few of them, one of those, others, the others, the second one, the other one
kin: wife, husband, partner, boyfriend, girlfriend, fiancé, fiancée, spouse, mother, mum, mom, mam, father, dad, parents, son, daughter, sons, daughters, kids, children, child, kid, brother, sister, brothers, sisters, brother-in-law, sister-in-law, mother-in-law, father-in-law, in-laws, son-in-law, daughter-in-law, uncle, aunt, cousin, nephew, niece, grandmother, grandfather, grandma, grandpa, grandad, granddad, gran, nan, grandson, granddaughter, friend, friends, mate, mates, flatmate, roommate, housemate, neighbour, neighbor, neighbours, neighbors, colleague, colleagues, coworker, co-worker, coworkers, boss, manager, supervisor, lead, foreman, teammate, woman, man, guy, lady, lad, girl, boy, bloke, chap, people, twin, twins, eldest, youngest, team, ex, ex-husband, ex-wife, predecessor, trainee, apprentice, intern, landlord, landlady
staff: agent, adviser, advisor, clerk, officer, official, doctor, dentist, rep, representative, salesman, saleswoman, seller, salesperson, installer, agronomist, employer, employee, staff, supplier, reviewer, expert, family, household, relative, relatives, toddler, baby, another, someone else, somebody else, others, other people, person, group, told, parent, driver, teacher, nurse, designer, roaster, technician, mechanic, plumber, lawyer, consultant, assistant, receptionist, cashier, shopkeeper, pharmacist, dermatologist, specialist, counsellor, trainer, coach, tutor, pupil, student, students, hearsay, according to, reported, supposedly, said to, allegedly, claim, claims, visitor, guest, tenant, owner's, she, he, him, relation, acquaintance, elder, farmer, engineer, chef, cook, waiter, waitress, guide, host, attendant, conductor, passenger, customer's, client
of: of, in, on, at, to, for, with, by, from, about, than, like, between, without, as, and, or, after, before, around, into, against, near
that: that, whether
break: but, because, so, although, though, while, whereas, and, or, since, which, who, where, when, then, yet, except, only
past: before, used to, back then, formerly, previously, originally, in the past
wish: would, could, might, should, may, wish, wishes, wished, want, wants, wanted, hope, hopes, hoped, expect, expects, expected, expecting, plan, plans, planned, planning, consider, considers, considered, considering, thought, thinks, thinking, think, willing, prefer, prefers, need, needs, if, unless, until, likely, supposed, promise, promised, promises, ask, asks, asked, demand, demands, doubt, doubts, must, will, ready, claim, claims, claimed, says, said, intend, intends, aim, aims, sought, attempt, attempts, attempted, tried, try, tries, toyed, contemplated, fair, ideal, acceptable, estimate, estimates, estimated, guess, guesses, forecast, target, goal, dream, dreams, at most, maximum, budget, offer, offered, quoted, suggested, recommended, anticipated, feels, believes, tempted, flirted, weighed, weighs, imagine, imagines, projected, wishing, open to, hypothetical, require, requires, required, request, requests, requested, insisted, needed
why: because, since, as, due, owing, so, reason, why, cause, caused, made, makes, therefore, hence, wanted, for, to, about
`

const lexiconDE = `
not: nicht, kein, keine, keinen, keinem, keiner, keines, nie, niemals, niemand, niemanden, nichts, weder, noch nie, kaum, ohne, bezweifle, nirgends, nirgendwo, keinesfalls, selten
even: auch wenn, selbst wenn, als ob, als wenn, nicht nur, wenn auch, nichts gegen
if: wenn, falls, sofern, vorausgesetzt, außer wenn, es sei denn, solange, angenommen, hätte ich
hedge: vielleicht, womöglich, eventuell, angeblich, vermutlich, nicht sicher, keine ahnung, könnte sein, mag sein
says: sagt, meint, glaubt, behauptet, findet, denkt, schwört, erzählt, laut, angeblich, sagen, meinen, behaupten, hieß es, habe gehört, sei, seien
said: sagte, meinte, behauptete, erzählte, versprach, erklärte, gesagt, gemeint, behauptet, versprochen, dachte, fand, schrieb, antwortete, erwähnte
i: ich, wir
it: es, das, man, du, ihr, dies, was, die, da
he: er, einer von ihnen, eine von ihnen, die meisten, andere, die anderen
kin: frau, mann, partner, partnerin, freund, freundin, freunde, mutter, mama, vater, papa, eltern, sohn, tochter, söhne, töchter, kinder, kind, bruder, schwester, geschwister, schwager, schwägerin, schwiegermutter, schwiegervater, schwiegereltern, onkel, tante, cousin, cousine, neffe, nichte, oma, opa, großmutter, großvater, enkel, enkelin, mitbewohner, mitbewohnerin, nachbar, nachbarin, nachbarn, kollege, kollegin, kollegen, kolleginnen, chef, chefin, vorgesetzter, vorgesetzte, bekannter, bekannte, mädchen, junge, leute, vorgänger, vermieter, vermieterin, installateur
staff: berater, beraterin, arzt, ärztin, zahnarzt, mitarbeiter, mitarbeiterin, arbeitgeber, familie, jemand, andere, anderen, person, lehrer, lehrerin, verkäufer, verkäuferin, handwerker, lieferant, techniker, laut, angeblich, er, angehörige, verwandte
of: von, in, im, an, am, auf, zu, zum, zur, für, mit, bei, beim, aus, über, als, wie, nach, vor, und, oder, ohne, durch, um, unter, neben, zwischen, gegen, wegen, meiner, meinem, seiner, seinem, unserem, unserer
that: dass, daß, ob
break: aber, weil, denn, obwohl, während, sondern, und, oder, da, damit, doch, dann, also, deshalb
past: früher, vorher, damals, zuvor, ehemals, ursprünglich
wish: würde, würden, könnte, könnten, möchte, möchten, will, wollen, wollte, wollten, soll, sollte, hoffe, hoffen, hoffte, erwarte, erwartet, plane, geplant, überlege, überlegt, wäre, wären, hätte, hätten, wünsche, versprochen, angeblich, vielleicht, wenn, falls, dürfte
why: weil, denn, da, wegen, aufgrund, deshalb, darum, grund, warum, wieso, weshalb, damit, um, durch
`

const lexiconFR = `
not: pas, ne, n', jamais, rien, personne, aucun, aucune, ni, guère, sans, doute, nullement
even: même si, comme si, pas seulement, sans doute
if: si, s', sauf si, à condition, pourvu, au cas où, à moins, tant que
hedge: peut-être, peut être, sans doute, probablement, éventuellement, il paraît, je ne sais pas si, pas sûr, pas sûre, soi-disant
says: dit, pense, croit, prétend, affirme, trouve, assure, jure, estime, répète, raconte, selon, d'après, il paraît, disent, pensent
said: disait, pensait, a dit, m'a dit, m' a dit, avait dit, a promis, expliqué, prétendait, trouvait, affirmait, promis, répondu
i: je, j', nous, on
it: il, ça, c', cela, vous, tu, ce, qui, ils
he: elle, lui, l'un d'eux, la plupart, certains, d'autres
kin: femme, mari, compagne, compagnon, copain, copine, conjoint, conjointe, mère, maman, père, papa, parents, fils, fille, filles, enfants, enfant, frère, sœur, soeur, frères, sœurs, beau-frère, belle-sœur, belle-mère, beau-père, beaux-parents, oncle, tante, cousin, cousine, neveu, nièce, grand-mère, grand-père, mamie, papi, ami, amie, amis, colocataire, voisin, voisine, voisins, collègue, collègues, chef, patron, patronne, monsieur, dame, garçon, gens, propriétaire, associé, associée
staff: conseiller, conseillère, médecin, dentiste, vendeur, vendeuse, employé, employée, employeur, famille, autre, quelqu'un, personne, technicien, selon, lui, elle, ils
of: de, du, des, d', à, au, aux, en, dans, sur, pour, avec, par, chez, sans, sous, que, comme, et, ou, entre, vers, contre, après, avant
that: que, qu'
break: mais, parce, car, donc, alors, et, ou, quand, lorsque, puis, pourtant, puisque, où
past: avant, autrefois, auparavant, jadis, à l'époque
wish: voudrais, voulais, veux, voulait, aimerais, aimerait, pourrais, pourrait, devrait, espère, espérais, souhaite, souhaitais, prévois, prévu, compte, envisage, serait, serais, aurait, aurais, si, signerais, garantissait, promis, demandais
why: parce, car, puisque, cause, raison, pourquoi, afin, pour, grâce, comme, donc
`

const lexiconES = `
not: no, nunca, jamás, nada, nadie, ninguno, ninguna, ningún, ni, tampoco, sin, apenas, dudo
even: aunque, como si, no solo, no sólo, incluso si
if: si, salvo que, a menos que, siempre que, con tal de, en caso de, a condición
hedge: quizás, quizá, tal vez, puede que, a lo mejor, probablemente, posiblemente, no sé si, supuestamente, dudo que
says: dice, piensa, cree, opina, asegura, jura, afirma, sostiene, cuenta, según, dicen, piensan, creen, me dicen
said: dijo, decía, pensaba, creía, aseguraba, aseguró, dijeron, prometió, explicó, contó, comentó, afirmó
i: yo, nosotros, nosotras
it: eso, esto, usted, tú, ellos, qué
he: él, ella, uno de ellos, una de ellas, la mayoría, otros, los demás
kin: mujer, esposa, esposo, marido, pareja, novio, novia, madre, mamá, padre, papá, padres, hijo, hija, hijos, hijas, niños, niño, niña, hermano, hermana, hermanos, hermanas, cuñado, cuñada, suegra, suegro, suegros, tío, tía, primo, prima, sobrino, sobrina, abuela, abuelo, nieto, nieta, amigo, amiga, amigos, amigas, compañero, compañera, compañeros, compañeras, vecino, vecina, vecinos, jefe, jefa, señora, señor, chico, chica, gente, casero, casera, socio, socia
staff: asesor, asesora, médico, dentista, vendedor, vendedora, empleado, empleada, familia, alguien, persona, técnico, según, otra, otro
of: de, del, a, al, en, con, por, para, sin, sobre, entre, hasta, desde, que, como, y, e, o, contra, tras
that: que
break: pero, porque, y, e, o, pues, cuando, mientras, así, entonces, donde, es, sino
past: antes, anteriormente, en aquella época, entonces
wish: querría, quería, quiero, quiere, queremos, gustaría, podría, debería, espero, esperaba, esperamos, pienso, planeo, planes, intención, voy a, vamos a, sería, habría, hubiera, pagaría, volvería, si, prometió, ojalá
why: porque, pues, debido, causa, razón, motivo, por, para, qué, ya que, como
`

const lexiconIT = `
not: non, mai, niente, nulla, nessuno, nessuna, né, neanche, nemmeno, neppure, senza, appena, dubito
even: anche se, come se, non solo, non soltanto
if: se, a meno che, purché, a patto, a condizione, nel caso
hedge: forse, magari, probabilmente, può darsi, non so se, a quanto pare, presumibilmente
says: dice, pensa, crede, sostiene, afferma, giura, secondo, racconta, ritiene, dicono, pensano, trova
said: ha detto, diceva, pensava, sosteneva, disse, promesso, ha spiegato, detto, credeva
i: io, noi
it: ciò, questo, lei, voi, tu, quello, che
he: lui, uno di loro, la maggior parte, altri, gli altri
kin: moglie, marito, compagno, compagna, fidanzato, fidanzata, ragazzo, ragazza, madre, mamma, padre, papà, genitori, figlio, figlia, figli, bambini, bambino, bambina, fratello, sorella, cognato, cognata, suocera, suocero, suoceri, zio, zia, cugino, cugina, nipote, nonna, nonno, nonni, amico, amica, amici, coinquilino, coinquilina, vicino, vicina, vicini, collega, colleghi, colleghe, capo, signora, signore, uomo, donna, gente
staff: consulente, medico, dentista, venditore, impiegato, impiegata, famiglia, qualcuno, persona, tecnico, secondo, altro, altra
of: di, del, della, dei, a, al, alla, in, nel, nella, con, su, per, da, dal, dalla, che, come, e, o, tra, fra, contro, senza
that: che
break: ma, perché, e, o, quindi, allora, quando, mentre, però, poi, dove, siccome
past: prima, una volta, in passato, un tempo
wish: vorrei, volevo, voglio, vuole, vogliamo, potrei, potrebbe, dovrebbe, spero, speravo, penso di, intendo, programma, sarebbe, avrei, avrebbe, pagherei, se, promesso, piacerebbe
why: perché, poiché, siccome, causa, motivo, ragione, per, quindi
`

const lexiconPT = `
not: não, nunca, jamais, nada, ninguém, nenhum, nenhuma, nem, tampouco, sem, mal, duvido
even: mesmo se, mesmo que, como se, não só, não apenas
if: se, a menos que, desde que, caso, a não ser
hedge: talvez, se calhar, provavelmente, possivelmente, não sei se, supostamente, quem sabe
says: diz, acha, pensa, acredita, afirma, garante, jura, conta, segundo, dizem, acham
said: disse, dizia, achava, pensava, afirmou, prometeu, explicou, garantiu, contou
i: eu, nós, a gente
it: isso, isto, você, tu, aquilo, que
he: ele, ela, um deles, uma delas, a maioria, outros, os outros
kin: mulher, esposa, esposo, marido, companheiro, companheira, namorado, namorada, mãe, pai, pais, filho, filha, filhos, filhas, crianças, criança, irmão, irmã, irmãos, irmãs, cunhado, cunhada, sogra, sogro, sogros, tio, tia, primo, prima, sobrinho, sobrinha, avó, avô, avós, neto, neta, amigo, amiga, amigos, amigas, vizinho, vizinha, vizinhos, colega, colegas, chefe, patrão, senhora, senhor, homem, rapaz, moça, rapariga, gente
staff: consultor, consultora, médico, médica, dentista, vendedor, vendedora, funcionário, funcionária, família, alguém, pessoa, técnico, segundo, outro, outra
of: de, do, da, dos, das, em, no, na, nos, nas, com, por, para, a, ao, à, que, como, e, ou, entre, sem, contra
that: que
break: mas, porque, e, ou, então, quando, enquanto, pois, porém, depois, onde
past: antes, antigamente, anteriormente, outrora
wish: queria, quero, quer, gostaria, poderia, deveria, espero, esperava, penso em, planeio, planejo, pretendo, vou, seria, teria, pagaria, se, prometeu, tomara, oxalá
why: porque, pois, causa, razão, motivo, por, para, porquê, já que
`

const lexiconNL = `
not: niet, geen, nooit, niemand, niets, nergens, noch, nauwelijks, amper, zonder, betwijfel, zelden
even: ook als, zelfs als, alsof, niet alleen
if: als, indien, mits, tenzij, zolang, wanneer, stel dat
hedge: misschien, wellicht, mogelijk, waarschijnlijk, zogenaamd, niet zeker, weet niet of, schijnbaar
says: zegt, vindt, denkt, meent, beweert, gelooft, zweert, volgens, vertelt, zeggen, vinden, naar verluidt
said: zei, dacht, vond, beweerde, gezegd, beloofde, vertelde, beloofd, legde uit
i: ik, wij, we
it: het, dat, je, u, men, dit, die, er
he: hij, zij, een van hen, de meesten, anderen
kin: vrouw, man, partner, vriend, vriendin, vrienden, moeder, mama, vader, papa, ouders, zoon, dochter, zonen, dochters, kinderen, kind, broer, zus, zwager, schoonzus, schoonmoeder, schoonvader, schoonouders, oom, tante, neef, nicht, oma, opa, kleinzoon, kleindochter, huisgenoot, buurman, buurvrouw, buren, collega, collega's, baas, chef, mevrouw, meneer, jongen, meisje, mensen, voorganger
staff: adviseur, arts, dokter, tandarts, verkoper, medewerker, werkgever, familie, gezin, iemand, ander, persoon, monteur, volgens
of: van, in, op, aan, bij, met, voor, over, naar, door, uit, te, dan, als, en, of, zonder, om, tussen, tegen, tot, mijn vriend
that: dat, of
break: maar, omdat, want, dus, en, terwijl, hoewel, toen, dan, waar, doordat
past: vroeger, voorheen, eerder, destijds
wish: zou, zouden, wil, wilde, willen, wou, kan, hoop, hoopte, verwacht, verwachtte, plan, overweeg, overwogen, zal, beloofd, als, graag
why: omdat, want, doordat, wegens, vanwege, reden, waarom, dus, om, door
`
