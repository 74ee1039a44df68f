/**
 * The most frequent English verbs and adverbs of general meaning, and words like `somebody` and
 * `thing`. In a small corpus they can be as rare as the words that name the subject.
 */
export const ENGLISH_LIGHT_WORDS = `
  able according actually ago allow allowed allows almost along already always another anybody anyone anything
  anyway around ask asked asking asks available away back bad became become becomes began begin begins believe
  best better big bring brings brought came certain come comes coming consider considered continue course
  different else enough especially etc even ever every everybody everyone everything example expect expected
  far feel feels felt find finding finds found gave general generally get gets getting give given gives giving
  go goes going gone good got great happen happened happening happens hear heard hello hi high hold
  include included includes including instead keep keeping keeps kept kind knew know known knows large least less
  let lets like likely little long look looking looks lot lots made make makes making many maybe mean means meant
  might mine move much must need needed needs never new next nobody none normal normally nothing often okay
  one ones onto others otherwise part particular particularly per perhaps place please possible put puts quite
  rather really reason regarding remain right said saw say saying says see seem seems seen several
  show showed shown shows since small somebody someone something sometimes somewhere soon start started starts
  stay still stop suppose supposed sure take taken takes taking talk tell tells thank thanks thing things think
  thinks thought together told took tried tries try trying turn understand unless use used uses using usual
  usually want wanted wants way ways well went whatever whenever within without wonder yes yet`;

/** The same kinds of words in German. */
export const GERMAN_LIGHT_WORDS = `
  allein allerdings andererseits anders ansonsten bald beispiel bekam bekomme bekommen bekommt besonders besser
  beste bestimmt bisher bitte bleiben bleibt brachte brauche brauchen braucht bringe bringen bringt danke dauern
  dauert denke denken denkt dürfen darf eben eigentlich einfach einige einmal einzeln endlich erhalte erhalten
  erhält erlaubt erst ersten etliche finde finden findet fragen früher funktioniert ganz geben gebe gegeben gehe
  gehen geht gehört gemacht genau genug gerade gerne gern gesagt geschehen geschieht gewesen ging glaube glauben
  gleich groß großen gut gute guten halten hält hallo häufig heißt irgendwas irgendwie jemand jemanden jetzt jeweils
  kleine kleinen komme kommen kommt kriege kriegen kriegt lang lange lassen lässt letzte letzten machen mache macht
  manche manchmal meinen meist meisten möchte möchten mögen möglich muß müsste nächste nächsten nehme nehmen nennen
  neu neue neuen nichts nie niemand nimmt oft passiert passieren richtig sache sachen sagen sage sagt schon sehe
  sehen sieht selbst sicher sogar sonst statt stehen steht stellen stets tun tut überhaupt übrigens vermutlich
  verschiedene verwenden verwendet viel viele vielen vielleicht weiter weiß weitere wirklich wissen wollen wollte
  zeigen zeigt ziemlich zusammen`;
